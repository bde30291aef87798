/** A category with its kinds, price range and sizes. */
export interface Family {
  category: string;
  kinds: readonly { name: string; subCategory: string; fit: string }[];
  /** Pounds. */
  price: readonly [number, number];
  materials: readonly string[];
  sizes: readonly string[];
  /** Centimetres. */
  width: readonly [number, number];
}

const words = (text: string): readonly string[] => text.split(/\s+/);

const WOODS = words('Oak Walnut Ash Beech Birch Cherry Elm Pine Teak Maple');
const FABRICS = words('Linen Velvet Wool Bouclé Corduroy Cotton Leather Tweed Chenille Canvas');
const WARES = words('Stoneware Porcelain Glass Brass Marble Terracotta Pewter Copper Slate Travertine');

const kind = (name: string, subCategory: string, fit: string) => ({ name, subCategory, fit });

export const FAMILIES: readonly Family[] = [
  {
    category: 'Sofa',
    kinds: [
      kind('Two-Seat Sofa', 'Two-seat', 'Living room'),
      kind('Three-Seat Sofa', 'Three-seat', 'Living room'),
      kind('Corner Sofa', 'Corner', 'Living room'),
      kind('Sofa Bed', 'Sofa beds', 'Guest room'),
    ],
    price: [449, 3_499],
    materials: FABRICS,
    sizes: ['Two-seat', 'Three-seat', 'Four-seat'],
    width: [148, 290],
  },
  {
    category: 'Wardrobe',
    kinds: [
      kind('Two-Door Wardrobe', 'Two-door', 'Bedroom'),
      kind('Three-Door Wardrobe', 'Three-door', 'Bedroom'),
      kind('Sliding Wardrobe', 'Sliding', 'Bedroom'),
      kind('Linen Press', 'Storage', 'Hallway'),
    ],
    price: [299, 2_499],
    materials: WOODS,
    sizes: ['100 cm', '150 cm', '200 cm'],
    width: [90, 260],
  },
  {
    category: 'Chair',
    kinds: [
      kind('Armchair', 'Armchairs', 'Living room'),
      kind('Dining Chair', 'Dining chairs', 'Dining room'),
      kind('Stool', 'Stools', 'Kitchen'),
      kind('Rocking Chair', 'Armchairs', 'Nursery'),
    ],
    price: [59, 1_199],
    materials: [...WOODS, ...FABRICS],
    sizes: ['Standard', 'Wide'],
    width: [38, 98],
  },
  {
    category: 'Lamp',
    kinds: [
      kind('Table Lamp', 'Table lamps', 'Bedroom'),
      kind('Floor Lamp', 'Floor lamps', 'Living room'),
      kind('Pendant Lamp', 'Pendants', 'Dining room'),
      kind('Reading Lamp', 'Floor lamps', 'Study'),
    ],
    price: [35, 599],
    materials: WARES,
    sizes: ['Small', 'Large'],
    width: [18, 60],
  },
  {
    category: 'Bench',
    kinds: [
      kind('Dining Bench', 'Dining benches', 'Dining room'),
      kind('Hallway Bench', 'Hallway benches', 'Hallway'),
      kind('Storage Bench', 'Storage benches', 'Bedroom'),
    ],
    price: [89, 899],
    materials: WOODS,
    sizes: ['100 cm', '140 cm', '180 cm'],
    width: [80, 200],
  },
  {
    category: 'Table Decor',
    kinds: [
      kind('Vase', 'Vases', 'Living room'),
      kind('Candle Holder', 'Candle holders', 'Dining room'),
      kind('Fruit Bowl', 'Bowls and trays', 'Kitchen'),
      kind('Serving Tray', 'Bowls and trays', 'Dining room'),
    ],
    price: [9, 189],
    materials: WARES,
    sizes: ['Small', 'Medium', 'Large'],
    width: [8, 48],
  },
];

/** Parts of series and brand names: a head and a tail. */
export const PLACES = {
  heads:
    words(`Ald Ash Bram Bright Carl Clay Dun East Elm Fern Glen Had Hart Haw Hol Ing Kel Kings Lang Lind Long Mar Mill Nor Oak Pen Rad Red
    Row Sel Shel Stan Stour Thorn Wake War Well West Whit Win`),
  tails:
    words(`bourne brook bury combe cote dale don field fold ford gate grove ham hurst ing lea leigh ley low mere minster mont ridge shaw
    stead stoke stow thorpe ton well wick worth`),
};

export const TRADES = ['Joinery', 'Workshop', 'Upholstery', 'Makers', 'Interiors', 'Brothers', 'Studio', 'Works'] as const;
export const CHARACTERS = ['Compact', 'Classic', 'Slender', 'Fluted', 'Curved', 'Panelled', 'Woven', 'Turned', 'Low', 'Tall'] as const;

/** Description templates; {material}, {kind}, {place} and {room} are placeholders. */
export const SENTENCES = [
  'This {kind} in {material} is made to be used every day.',
  'Drawn at our bench and built by a small team in {place}.',
  'The {material} is chosen by hand, so that no two are quite alike.',
  'Every joint is glued and pegged, and every edge is softened by hand.',
  'It suits a {room} with little space as well as a generous one.',
  'Wipe with a dry cloth and keep out of direct sun.',
  'The feet are adjustable, so it stands firm on an old floor.',
  'Finished with three coats of hardwax oil that can be renewed at home.',
  'Comes in two parcels and is assembled in under half an hour.',
  'Spare parts are kept for ten years.',
  'Made from timber of managed forests, with water-based glue.',
  'The shape goes back to a piece found in a farmhouse near {place}.',
  'Quiet colours let the grain of the room speak first.',
  'Tested for fifty thousand uses in our own workshop.',
] as const;

export const COLOURS = words('#b3aa9d #8a7a66 #5c6b5a #37474f #a65d43 #d9cfc1 #2f2f2f #7d8ca3 #c9a66b #eae6df');

export const PEOPLE = {
  first: words('Amelia Arthur Beth Callum Daisy Edward Farah George Hannah Idris Jack Kiran Lily Mohammed'),
  last: words('Ahmed Baker Clarke Davies Evans Fletcher Green Hughes Jones Khan Lewis Patel Smith Taylor'),
  streets: ['High Street', 'Church Lane', 'Mill Road', 'Station Road', 'Victoria Road', 'Park Avenue', 'Queen Street', 'The Green'],
  cities: [
    { city: 'Leeds', state: 'West Yorkshire', code: 'LS1 4AP' },
    { city: 'Bristol', state: 'Bristol', code: 'BS1 5TR' },
    { city: 'Norwich', state: 'Norfolk', code: 'NR2 1TF' },
    { city: 'Cardiff', state: 'Cardiff', code: 'CF10 1EP' },
    { city: 'Glasgow', state: 'Glasgow City', code: 'G1 3SL' },
    { city: 'Exeter', state: 'Devon', code: 'EX4 3SR' },
  ],
} as const;
