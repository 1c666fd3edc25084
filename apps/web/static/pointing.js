// What the pointer or the keyboard's focus is on.

// Position of the pointer. An element drawn beneath a resting pointer counts as pointed at only when the pointer moves.
const pointer = { x: -1, y: -1 };
const resting = { x: -1, y: -1 };
for (const name of ["pointermove", "pointerdown"]) {
  document.addEventListener(name, event => { [pointer.x, pointer.y] = [event.clientX, event.clientY]; }, { capture: true });
}
export const restPointer = () => Object.assign(resting, pointer);

/** Calls `point` with what `action` returns while the pointer or the keyboard's focus is on an element. */
export const pointedAt = (element, action, point) => {
  element.addEventListener("pointerenter", event => {
    if (event.clientX !== resting.x || event.clientY !== resting.y) point(action());
  });
  element.addEventListener("pointerleave", () => point(null));
  element.addEventListener("focus", () => point(action()));
  element.addEventListener("blur", () => point(null));
};
