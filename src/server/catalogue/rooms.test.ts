import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { CategoryHead, Related, Room } from '#contract/catalogue/catalogue.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const shop = await testShop();
const { app, db } = shop;
const { headers } = await anAdmin(db);

/** Uploads a picture for a column of the section, as the settings screen does. */
async function upload(field: string): Promise<string> {
  const [red, green, blue] = [Math.random(), Math.random(), Math.random()].map((share) => Math.round(share * 255));
  const background = { r: red ?? 0, g: green ?? 0, b: blue ?? 0 };
  const bytes = await sharp({ create: { width: 1_200, height: 800, channels: 3, background } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('field', field);
  form.append('picture', new File([new Uint8Array(bytes)], 'room.png'));
  const reply = await fetch(`${shop.url}/api/settings/catalogue/pictures`, { method: 'POST', headers, body: form });
  return ((await reply.json()) as { url: string }).url;
}

async function save(values: { categories?: object[]; rooms?: object[] }) {
  const { version } = (await app.inject({ url: '/api/settings/catalogue', headers })).json<SettingsSection>();
  const payload = { version, values: { categories: [], rooms: [], ...values } };
  return app.inject({ method: 'PUT', url: '/api/settings/catalogue', headers, payload });
}

const rooms = async (query = '') => (await app.inject({ url: `/api/products/rooms${query}` })).json<Room[]>();
const namesOf = ({ pieces }: Room) => pieces.map(({ name }) => name);

test('a room shows only the pieces that the shop still sells, in the size and colour in which they are added (§19.4)', async () => {
  expect(await rooms()).toEqual([]);
  const sofa = await aProduct(db, {
    name: 'Room Sofa',
    category: 'Sofa',
    price: 114_900,
    sizes: [
      { size: 'Two-seat', quantity: 0, price: 94_900 },
      { size: 'Three-seat', quantity: 4, price: 0 },
    ],
    colors: ['#696a53', '#53595c'],
  });
  const vase = await aProduct(db, { name: 'Room Vase', category: 'Table Decor', price: 4_500, stock: 0 });
  const table = await aProduct(db, { name: 'Room Table', category: 'Table' });
  await app.inject({ method: 'DELETE', url: `/api/products/${table._id}`, headers });
  const [first, second] = [await upload('rooms.picture'), await upload('rooms.picture')];
  const reply = await save({
    rooms: [
      {
        picture: first,
        shape: 'wide',
        words: 'A room',
        pieces: 'Room Vase (10, 46), Room Table (40, 62), Room Sofa (66, 47.5), Room Vase (90, 46)',
      },
      { picture: second, shape: 'tall', words: 'A shelf', pieces: 'Room Vase (50, 50)' },
      { picture: await upload('rooms.picture'), shape: 'tall', words: 'Nothing sold', pieces: 'Room Table (50, 50)' },
    ],
  });
  expect(reply.statusCode).toBe(200);
  const [room, shelf, ...others] = await rooms();
  expect(others).toEqual([]);
  expect(room).toMatchObject({ picture: first, shape: 'wide', words: 'A room' });
  // A vase that stands in it twice is one piece, at its first place.
  expect(room?.pieces).toEqual([
    {
      _id: vase._id,
      name: 'Room Vase',
      price: 4_500,
      isSold: false,
      image: '',
      picture: '',
      size: null,
      colour: null,
      chosen: { size: null, colour: null },
      x: 10,
      y: 46,
    },
    {
      _id: sofa._id,
      name: 'Room Sofa',
      price: 114_900,
      isSold: true,
      image: '',
      picture: '',
      size: 'Three-seat',
      colour: { hexCode: '#696a53', name: 'Olive' },
      chosen: { size: 'Three-seat', colour: 'Olive' },
      x: 66,
      y: 47.5,
    },
  ]);
  const around = async (name: string) => (await app.inject({ url: `/api/products/category?name=${name}` })).json<CategoryHead>().rooms;
  expect((await around('sofa')).map(namesOf)).toEqual([['Room Vase', 'Room Sofa']]);
  expect(await around('Bed')).toEqual([]);
  const related = (await app.inject({ url: `/api/products/${sofa._id}/related` })).json<Related>();
  expect(related.rooms.map(namesOf)).toEqual([['Room Vase', 'Room Sofa']]);
  // It also stands in a room alone.
  const ofVase = (await app.inject({ url: `/api/products/${vase._id}/related` })).json<Related>();
  expect(ofVase.rooms.map(namesOf)).toEqual([['Room Vase', 'Room Sofa']]);
  expect((await rooms(`?pieces=${vase._id}`)).map(({ picture }) => picture)).toEqual([first, second]);
  expect((await rooms(`?pieces=${sofa._id},${vase._id}`))[0]?.picture).toBe(first);
  expect(await rooms(`?pieces=${table._id}`)).toEqual([]);
  // The room shows current stock and prices.
  await db.updateTable('products').set({ countInStock: 3 }).where('id', '=', vase._id).execute();
  await save({ rooms: [{ picture: shelf?.picture, shape: 'tall', words: 'A shelf', pieces: 'Room Vase (50, 50)' }] });
  expect((await rooms())[0]?.pieces[0]).toMatchObject({ isSold: true });
});

test('a piece that sells out is sold out in its room, also on the pages of the others in it', async () => {
  const [lamp, desk] = [await aProduct(db, { name: 'Last Lamp', stock: 1 }), await aProduct(db, { name: 'Lamp Desk' })];
  await save({
    rooms: [{ picture: await upload('rooms.picture'), shape: 'tall', words: 'A desk', pieces: 'Last Lamp (50, 20), Lamp Desk (50, 60)' }],
  });
  const isLampSold = async () =>
    (await app.inject({ url: `/api/products/${desk._id}/related` })).json<Related>().rooms[0]?.pieces[0]?.isSold;
  expect(await isLampSold()).toBe(true);
  const { headers: buyer } = await aCustomer(db);
  const order = await app.inject({ method: 'POST', url: '/api/orders', headers: buyer, payload: aPayload([aLine(lamp)]) });
  expect(order.statusCode).toBe(201);
  expect(await isLampSold()).toBe(false);
});

test('a category has the owner’s text and picture, and its subcategories with those that have most products first (§2.6.8)', async () => {
  const read = async (name: string) =>
    (await app.inject({ url: `/api/products/category?name=${encodeURIComponent(name)}` })).json<CategoryHead>();
  for (const subCategory of ['Tall', 'Wide, Tall', 'Wide, Tall'])
    await aProduct(db, { category: 'Shelf', subCategory, images: ['/images/shelf-1200.webp'] });
  expect(await read('Shelf')).toEqual({
    text: '',
    picture: '',
    rooms: [],
    subCategories: [
      { name: 'Tall', image: '/images/shelf-1200.webp' },
      { name: 'Wide', image: '/images/shelf-1200.webp' },
    ],
  });
  const picture = await upload('categories.picture');
  await save({ categories: [{ name: 'Shelf', text: 'For books.', picture }] });
  expect(await read('SHELF')).toMatchObject({ text: 'For books.', picture });
  expect(await read('Nothing')).toEqual({ text: '', picture: '', subCategories: [], rooms: [] });
});

test('a picture that is not stored, and places that cannot be read, are refused at their row', async () => {
  const room = { picture: '/images/gone-1200.webp', shape: 'wide', words: 'A room', pieces: 'Room Sofa (66, 47)' };
  const unstored = await save({ rooms: [room] });
  expect([unstored.statusCode, Object.keys(unstored.json().errors)]).toEqual([400, ['rooms.0.picture']]);
  const unread = await save({ rooms: [{ ...room, pieces: 'Room Sofa' }] });
  expect(unread.json().errors).toEqual({ 'rooms.0.pieces': expect.stringMatching(/^Write each piece with its place/) });
});
