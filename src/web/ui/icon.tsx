import type { IconNode } from 'lucide';

interface IconProps {
  of: IconNode;
  className?: string;
}

/** A Lucide icon in the text's colour. Hidden from screen readers: its control or neighbour has the words. */
export function Icon({ of, className }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      className={className}
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {of.map(([Tag, attributes], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the shapes of an icon never change.
        <Tag key={index} {...attributes} />
      ))}
    </svg>
  );
}
