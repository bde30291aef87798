import { declareJobs } from '#server/platform/jobs/queue.ts';

export const catalogueJobs = declareJobs<{
  makeWidths: { id: string };
  showProduct: { productId: string };
  /** `order`: all pictures of the product in their order, stored ones too. */
  fetchPicture: { productId: string; address: string; order: string[] };
  removeOrphanedPictures: Record<string, never>;
  removePictures: { ids: string[] };
  deriveAttributes: Record<string, never>;
}>({
  makeWidths: { label: 'Make the sizes of a picture', lane: 'pictures' },
  showProduct: { label: 'Make a scheduled product live' },
  fetchPicture: { label: 'Fetch a picture from its address', lane: 'fetched pictures' },
  removeOrphanedPictures: { label: 'Delete pictures that nothing uses', at: { hour: 3, minute: 37 } },
  removePictures: { label: 'Delete the pictures of a review' },
  deriveAttributes: { label: 'Work out colours and materials for the filters', lane: 'attributes', at: {} },
});
