// Lists that scroll say that they go on below.

/** Lets an element that scrolls carry `data-more` while there is more of it below. */
export const signMore = element => {
  const sign = () => element.toggleAttribute("data-more", element.scrollHeight - element.clientHeight - element.scrollTop > 24);
  element.addEventListener("scroll", sign, { passive: true });
  const resized = new ResizeObserver(sign);
  resized.observe(element);
  new MutationObserver(sign).observe(element, { childList: true, subtree: true, attributes: true, attributeFilter: ["open", "hidden"] });
  sign();
};
