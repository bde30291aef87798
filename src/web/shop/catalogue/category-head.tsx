import { withParameters } from '#web/shop/filters/list-url.ts';
import { Rooms } from '#web/shop/rooms/rooms.tsx';
import type { ProductListState } from '#web/state/product-list.slice.ts';
import { Link } from '#web/ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';

export interface CategoryProps {
  /** Null where the list is not of one category. */
  head: ProductListState['head'];
}

/** On a wide screen the subcategories share the picture's height, so that the products begin on the first screen. */
const BESIDE_PICTURE = 'lg:grid-cols-[1fr_38%] lg:items-center lg:gap-x-6 lg:gap-y-2 lg:overflow-hidden lg:rounded-card lg:bg-accent-tint';

/** The top of a category's list: the owner's text and picture, and its subcategories, beside the filters. */
export function CategoryHead({ head, search }: CategoryProps & { search: URLSearchParams }) {
  if (!head) return null;
  const { text, picture, subCategories } = head;
  const hasChoice = subCategories.length > 1;
  const chosen = search.get('subCategory')?.toLowerCase();
  return (
    <div className={`mb-8 grid gap-4 empty:hidden ${picture ? BESIDE_PICTURE : ''}`}>
      {(text || picture) && (
        <div
          className={`grid items-center gap-x-6 ${picture ? 'grid-cols-[1fr_38%] overflow-hidden rounded-card bg-accent-tint lg:contents' : ''}`}
        >
          <p
            className={
              picture ? `py-3 pl-4 max-sm:text-sm sm:pl-6 lg:text-lg ${hasChoice ? 'lg:self-end lg:pb-0' : ''}` : 'max-w-prose text-soft'
            }
          >
            {text}
          </p>
          {picture && (
            <Picture
              src={picture}
              alt=""
              sizes="(min-width: 1024px) 30vw, 38vw"
              most={960}
              priority
              shape="aspect-square sm:aspect-2/1"
              className={hasChoice ? 'lg:row-span-2' : ''}
            />
          )}
        </div>
      )}
      {hasChoice && (
        <ul
          aria-label="Subcategories"
          className={`relative flex gap-3 overflow-x-auto p-1 ${picture ? 'max-lg:-mx-1 lg:mb-3 lg:ml-5 lg:self-start' : '-mx-1'}`}
        >
          {subCategories.map(({ name, image }) => {
            const isChosen = name.toLowerCase() === chosen;
            return (
              <li key={name} className="flex-none">
                <Link
                  to={withParameters(search, { subCategory: isChosen ? '' : name })}
                  preventScrollReset
                  aria-current={isChosen || undefined}
                  className="flex min-h-14 items-center gap-3 rounded-soft border border-line bg-page pr-4 hover:border-accent aria-[current]:border-accent aria-[current]:bg-accent-tint"
                >
                  <Picture src={image} alt="" sizes="3rem" most={160} className="!w-12 rounded-l-soft" />
                  {name}
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** Rooms to shop with pieces of the category, below its list. */
export function CategoryRooms({ head }: CategoryProps) {
  if (!head || head.rooms.length === 0) return null;
  return (
    <div className="mt-section border-t border-line pt-8">
      <Rooms title="Shop this room" isLarge rooms={head.rooms} />
    </div>
  );
}
