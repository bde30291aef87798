/** The shop's pages on an image-sharing site and a social network (specification §2). */
export const SOCIAL_LINKS = [
  { label: 'Instagram', href: 'https://www.instagram.com/hearthandoak.example' },
  { label: 'Facebook', href: 'https://www.facebook.com/hearthandoak.example' },
];
