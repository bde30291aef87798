import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { defaultSizeOf, type Product, priceOf, stockOfSize, wasPriceOf } from '#contract/catalogue/catalogue.ts';
import { pictureOf } from '#contract/catalogue/shown-picture.ts';
import { colourForUrl, nameFromUrl, variantIn, variantParameters } from '#contract/catalogue/variant.ts';
import { MAX_QUANTITY } from '#contract/platform/limits.ts';
import { reviewParameters, reviewsWanted } from '#contract/reviews/review-parameters.ts';
import { useEarlyInput } from '#web/ui/form/early.ts';
import { useStateFrom } from '#web/ui/use-state-from.ts';

/** The size and the colour of a product that a URL names. */
export function variantAsked({ sizes, colors }: Pick<Product, 'sizes' | 'colors'>, search: URLSearchParams) {
  const asked = variantIn(search);
  const size = nameFromUrl(
    asked.size,
    sizes.map((one) => one.size),
  );
  const colourBy = (nameOf: (colour: Product['colors'][number]) => string) => {
    const named = nameFromUrl(asked.colour, colors.map(nameOf));
    return colors.find((colour) => nameOf(colour) === named);
  };
  // A list's card names the first of several colours with the same name by that name.
  return { size, colour: colourBy((colour) => colourForUrl(colour, colors)) ?? colourBy(({ name }) => name) };
}

/** Whether a URL names a size, a colour or a page of reviews that the product does not have. */
export function isInvented(product: Pick<Product, 'sizes' | 'colors'>, reviewPages: number, search: URLSearchParams): boolean {
  const named = variantIn(search);
  const { size, colour } = variantAsked(product, search);
  return Boolean((named.size && !size) || (named.colour && !colour)) || reviewsWanted(search).pageNumber > reviewPages;
}

/** The chosen size and colour: those in the page's URL, else the first. A new choice is written into the URL. */
function useChoiceInUrl({ sizes, colors, ...product }: Product) {
  const { pathname, search: query, hash } = useLocation();
  const navigate = useNavigate();
  const search = new URLSearchParams(query);
  const { size: sizeAsked, colour: colourAsked } = variantAsked({ sizes, colors }, search);
  const [size, setSize] = useStateFrom(sizeAsked ?? defaultSizeOf({ ...product, sizes }));
  const [color, setColor] = useStateFrom((colourAsked ?? colors[0])?.hexCode);
  /** A choice as URL parameters, without the size or the colour if the product has only one. */
  const parametersOf = (chosen: { size: string | undefined; color: string | undefined }) => {
    const colour = colors.find(({ hexCode }) => hexCode === chosen.color);
    return variantParameters({
      size: sizes.length > 1 ? chosen.size : null,
      colour: colour && colors.length > 1 ? colourForUrl(colour, colors) : null,
    });
  };
  const choose = (chosen: { size?: string | undefined; color?: string | undefined }) => {
    if (chosen.size) setSize(chosen.size);
    if (chosen.color) setColor(chosen.color);
    const nextQuery = [parametersOf({ size, color, ...chosen }), reviewParameters(reviewsWanted(search))].filter(Boolean).join('&');
    void navigate(`${pathname}${nextQuery && `?${nextQuery}`}${hash}`, { replace: true, preventScrollReset: true });
  };
  // A radio button that was pressed before hydration is checked, whatever React has rendered.
  useEarlyInput({ size, color }, choose);
  return {
    size,
    color,
    parameters: parametersOf({ size, color }),
    setSize: (chosen: string) => choose({ size: chosen }),
    setColor: (chosen: string) => choose({ color: chosen }),
    /** The size and colour in the URL, by their names on the screen. */
    named: { size: sizeAsked, colour: colourAsked?.name },
  };
}

/** What is chosen on a product's page, and what follows from it: the chosen size, what is left of it, its price in pence, and the place of its picture. */
export function useChoice(product: Product) {
  const choiceInUrl = useChoiceInUrl(product);
  const { size, color } = choiceInUrl;
  const [wantedQty, setQuantity] = useState(1);
  const chosen = product.sizes.find((entry) => entry.size === size);
  const available = Math.min(stockOfSize(product, size), MAX_QUANTITY);
  const qty = Math.max(1, Math.min(wantedQty, available));
  return {
    ...choiceInUrl,
    qty,
    setQuantity,
    chosen,
    available,
    price: priceOf(product, size),
    wasPrice: wasPriceOf(product, size),
    picture: pictureOf(product.pictures, size, color),
    /** The chosen size and colour, each only if the product has several. */
    variant: {
      size: product.sizes.length > 1 ? size : undefined,
      colour: product.colors.length > 1 ? product.colors.find(({ hexCode }) => hexCode === color)?.name : undefined,
    },
  };
}

export type Choice = ReturnType<typeof useChoice>;
