import { useLayoutEffect, useRef, useState } from 'react';

/** The text of a field that follows the URL without overwriting text typed before hydration or since the last Enter. */
export function useTyped(value: string) {
  const ref = useRef<HTMLInputElement>(null);
  const isFirst = useRef(true);
  const isTyping = useRef(false);
  const [text, setText] = useState(value);
  useLayoutEffect(() => {
    if (isFirst.current) setText(ref.current?.value ?? value);
    else if (!isTyping.current || document.activeElement !== ref.current) setText(value);
    isFirst.current = false;
  }, [value]);
  return {
    ref,
    text,
    onType(typed: string) {
      isTyping.current = true;
      setText(typed);
    },
    /** Call on Enter: the field follows the URL again. */
    endTyping() {
      isTyping.current = false;
    },
  };
}
