import { PICTURE_FORMATS, PICTURE_WIDTHS, pictureId, pictureUrl } from '#contract/catalogue/pictures.ts';

/** The addresses of every width of every picture that the lists of a shop show. */
export async function allPictures(url: string): Promise<string[]> {
  const urls = new Set<string>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const list = (await (await fetch(`${url}/api/products?pageNumber=${page}`)).json()) as {
      pages: number;
      products: { images: string[] }[];
    };
    pages = list.pages;
    for (const { images } of list.products) for (const image of images) urls.add(image);
  }
  return [...urls].flatMap((image) =>
    PICTURE_WIDTHS.flatMap((width) => PICTURE_FORMATS.map((format) => pictureUrl(pictureId(image) ?? '', width, format))),
  );
}
