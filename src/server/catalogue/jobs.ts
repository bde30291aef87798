import { declareJobs, job } from '#server/platform/jobs/queue.ts';

export const catalogueJobs = declareJobs({
  makeWidths: job<{ id: string }>({ label: 'Make the sizes of a picture', lane: 'pictures' }),
  showProduct: job<{ productId: string }>({ label: 'Make a scheduled product live' }),
  /** `order`: all pictures of the product in their order, stored ones too. */
  fetchPicture: job<{ productId: string; address: string; order: string[] }>({
    label: 'Fetch a picture from its address',
    lane: 'fetched pictures',
  }),
  removeOrphanedPictures: job({ label: 'Delete pictures that nothing uses', at: { hour: 3, minute: 37 } }),
  removePictures: job<{ ids: string[] }>({ label: 'Delete the pictures of a review' }),
  deriveAttributes: job({ label: 'Work out colours and materials for the filters', lane: 'attributes', at: {} }),
});
