/** What is typed after the search was opened and before its input is there. */
let text = '';

function keep(event: KeyboardEvent) {
  const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isCharacter) text += event.key;
  else if (event.key === 'Backspace') text = text.slice(0, -1);
  else if (event.key !== 'Shift' && event.key !== 'Enter') return stop();
  // A space or Enter would press the button again.
  event.preventDefault();
}

function stop() {
  window.removeEventListener('keydown', keep, true);
  window.removeEventListener('pointerdown', stop, true);
}

/** Keeps what is typed until `takeTyped`, another key such as Tab, or a click. */
export function keepTyped(): void {
  text = '';
  window.addEventListener('keydown', keep, true);
  window.addEventListener('pointerdown', stop, true);
}

/** Returns what was typed, once the input is there. */
export function takeTyped(): string {
  stop();
  const taken = text;
  text = '';
  return taken;
}
