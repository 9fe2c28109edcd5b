// What this browser keeps for the next visit: choices of the user, never values of a file.

export function kept(name) {
  try { return localStorage.getItem(name) ?? undefined; } catch { return undefined; }
}

export function keep(name, value) {
  try { localStorage.setItem(name, value); } catch { /* It is kept for this visit only. */ }
}
