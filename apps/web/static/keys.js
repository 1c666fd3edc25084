// The keys of seats in games of several people: those that this page may use, and those to hand on to others.

const MOST = 50;  // games that are remembered

const read = () => {
  try { return JSON.parse(localStorage.getItem("keys")) ?? {}; } catch { return {}; }
};

/** Remembers the keys of a game: the own ones in a list, those for others by seat. */
export const remember = (id, mine, others = {}) => {
  const entries = Object.entries({ ...read(), [id]: { mine, others } });
  try { localStorage.setItem("keys", JSON.stringify(Object.fromEntries(entries.slice(-MOST)))); } catch { /* the address has them */ }
};

/** The keys of a game that this browser knows. */
export const known = id => read()[id] ?? { mine: [], others: {} };

/** The keys as the end of an address: `&key=…&key=…`, or nothing. */
export const query = keys => keys.map(key => `&key=${encodeURIComponent(key)}`).join("");

/** The address of a game for whoever has these keys. */
export const address = (id, keys) => `/game?id=${encodeURIComponent(id)}${query(keys)}`;
