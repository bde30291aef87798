// Made by `npm run schema:write` from the migrated database. Not edited by hand.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Colour, Measurement } from '#contract/catalogue/catalogue.ts';
import type { Shown } from '#contract/catalogue/shown-picture.ts';
import type { Lists } from '#contract/wishlist/wishlist.ts';

export interface DB {
  accountLists: {
    userId: string;
    wishes: ColumnType<Lists['wishes'], string | undefined, string>;
    cart: ColumnType<Lists['cart'], string | undefined, string>;
    updatedAt: Generated<string>;
  };
  addressLinks: {
    tokenHash: Buffer;
    userId: string;
    email: string;
    createdAt: Generated<string>;
  };
  apiKeys: {
    id: string;
    name: string;
    keyHash: Buffer;
    rights: string[];
    madeBy: string;
    madeAt: Generated<string>;
    endsAt: string;
    usedAt: string | null;
  };
  auditEntries: {
    id: GeneratedAlways<number>;
    at: Generated<string>;
    actorId: string | null;
    actorName: string;
    entity: string;
    entityId: string | null;
    change: string;
    fromAddress: string | null;
  };
  bookCheck: {
    onlyRow: Generated<boolean>;
    since: string;
    until: string;
    checkedAt: string;
  };
  bookFaults: {
    key: string;
    text: string;
    advice: string;
    path: string;
    foundAt: Generated<string>;
  };
  bookTicks: {
    day: string;
    kind: string;
    amount: number;
    actor: string;
    tickedAt: Generated<string>;
  };
  bulkEditProducts: {
    bulkEditId: string;
    productId: string;
    before: unknown;
    after: unknown;
  };
  bulkEdits: {
    id: string;
    createdAt: Generated<string>;
    actor: string;
    change: string;
    undoUntil: string;
    undoneAt: string | null;
  };
  cashReceipts: {
    id: GeneratedAlways<number>;
    orderId: string;
    receivedAt: Generated<string>;
    amount: number;
  };
  catalogueChanges: {
    transaction: Generated<string>;
    products: string[] | null;
    movesLists: boolean;
    at: Generated<string>;
    edited: string[] | null;
    settings: Generated<boolean>;
  };
  catalogueWords: {
    word: string;
    stem: Generated<string | null>;
    spellings: Generated<string[]>;
    isLabel: Generated<boolean>;
    isKind: Generated<boolean>;
  };
  deliveryNotices: {
    batchId: string;
    orderId: string;
    toldAt: string | null;
  };
  dispatchBatches: {
    id: string;
    createdAt: Generated<string>;
    actor: string;
    undoUntil: string;
    undoneAt: string | null;
  };
  documentNumbers: {
    kind: string;
    last: number;
  };
  firstOrders: {
    orderId: string;
  };
  importedProducts: {
    rowHash: Buffer;
    productId: string;
    at: Generated<string>;
  };
  importedStock: {
    productId: string;
    exported: Buffer;
    stock: number;
    sizes: unknown;
    at: Generated<string>;
  };
  invoices: {
    id: string;
    orderId: string;
    kind: string;
    number: number;
    issuedAt: Generated<string>;
    corrects: string | null;
    vatRate: number | null;
    net: number;
    vat: number;
    gross: number;
    content: unknown;
    vatRates: unknown | null;
    part: Generated<number>;
  };
  jobSchedule: {
    name: string;
    queuedAt: string;
  };
  jobs: {
    id: GeneratedAlways<number>;
    name: string;
    lane: string | null;
    key: string | null;
    payload: unknown;
    runAt: Generated<string>;
    createdAt: Generated<string>;
    attempts: Generated<number>;
    maxAttempts: Generated<number>;
    lastError: string | null;
    takenBy: number | null;
  };
  knownDevices: {
    userId: string;
    deviceHash: Buffer;
    createdAt: Generated<string>;
    usedAt: Generated<string>;
  };
  orderCorrections: {
    id: string;
    orderId: string;
    status: string;
    revision: number;
    plan: unknown;
    difference: number;
    actor: string;
    createdAt: Generated<string>;
    payUntil: string;
    sessionId: string | null;
    paymentUrl: string | null;
    sessionUntil: string | null;
    isWhole: Generated<boolean>;
    tokenHash: Buffer | null;
  };
  orderDisputes: {
    id: string;
    orderId: string;
    status: string;
    amount: number;
    reason: string;
    updatedAt: Generated<string>;
    disputedPaymentId: string | null;
  };
  orderEvents: {
    id: GeneratedAlways<number>;
    orderId: string;
    at: Generated<string>;
    kind: string;
    actor: string;
    detail: Generated<string>;
  };
  orderItems: {
    orderId: string;
    position: number;
    productId: string;
    name: string;
    image: string;
    size: string | null;
    color: string | null;
    qty: number;
    price: number;
    isColourOpen: Generated<boolean>;
    cancelledQty: Generated<number>;
    returnedQty: Generated<number>;
    refundedQty: Generated<number>;
    spoiledQty: Generated<number>;
    vatRate: number | null;
    colourName: string | null;
    discount: Generated<number>;
    costPrice: number | null;
    part: Generated<number>;
    leftOutQty: Generated<number>;
    setId: string | null;
    partialRefund: Generated<number>;
  };
  orderMails: {
    id: Generated<string>;
    orderId: string;
    mail: unknown;
    sentAt: Generated<string>;
  };
  orderNetworks: {
    orderId: string;
    network: string;
  };
  orderPayments: {
    paymentId: string;
    orderId: string;
    sessionId: string;
    amount: number;
    paidAt: Generated<string>;
  };
  orderRefunds: {
    id: string;
    orderId: string;
    createdAt: Generated<string>;
    amount: number;
    reason: string;
    detail: Generated<string>;
    actor: string;
    isByHand: boolean;
    status: string;
    attempt: Generated<number>;
    providerRefundId: string | null;
    failure: Generated<string>;
    requestKey: string | null;
    requestHash: Buffer | null;
    isAnnounced: Generated<boolean>;
    paymentId: string | null;
    doneAt: string | null;
    paidBackBy: string | null;
    goodwill: Generated<number>;
    forRates: unknown | null;
  };
  orderReturnItems: {
    returnId: string;
    position: number;
    qty: number;
    restockedQty: Generated<number>;
    spoiledQty: Generated<number>;
  };
  orderReturns: {
    id: string;
    orderId: string;
    askedAt: Generated<string>;
    reason: string;
    note: Generated<string>;
    actor: string;
    status: string;
    decidedAt: string | null;
    answer: Generated<string>;
    sendBy: string | null;
    receivedAt: string | null;
  };
  orderSteps: {
    fromState: string;
    toState: string;
  };
  orders: {
    id: string;
    userId: string | null;
    userName: string;
    userEmail: string;
    status: Generated<string>;
    fullName: Generated<string>;
    email: Generated<string>;
    phone: Generated<string>;
    line1: Generated<string>;
    line2: Generated<string>;
    city: Generated<string>;
    state: Generated<string>;
    postalCode: Generated<string>;
    country: Generated<string>;
    subTotalPrice: number;
    shippingPrice: number;
    taxPrice: number;
    totalPrice: number;
    shippingMethod: Generated<string>;
    paymentMethod: string;
    orderPaymentId: string | null;
    providerSessionId: string | null;
    providerPaymentId: string | null;
    paidAt: string | null;
    deliveredAt: string | null;
    idempotencyKey: string | null;
    payloadHash: Buffer | null;
    createdAt: Generated<string>;
    holdExpiresAt: string | null;
    cancelMarkHash: Buffer | null;
    paymentUrl: string | null;
    reference: Generated<string>;
    deliveryFrom: string | null;
    deliveryTo: string | null;
    dispatchedAt: string | null;
    waivedPrice: Generated<number>;
    refundedPrice: Generated<number>;
    returnStage: string | null;
    awaitsApproval: Generated<boolean>;
    disputedPrice: Generated<number>;
    orderState: Generated<string>;
    shippingLabel: Generated<string>;
    deliveryOffer: unknown | null;
    discount: Generated<number>;
    knowsDiscount: Generated<boolean>;
    readyAt: string | null;
    deliveryNote: Generated<string>;
    revision: Generated<number>;
    deliveryOff: Generated<number>;
    isDayChosen: Generated<boolean>;
    business: unknown | null;
    awaitsInvoice: Generated<boolean>;
    documentsMailedAt: Generated<string>;
    receivedBy: string | null;
    dueBack: number | null;
    lostPrice: Generated<number>;
    toCollect: Generated<number>;
    writtenOff: Generated<number>;
    writeOffCounted: Generated<number>;
    keptPrice: Generated<number>;
    entitledPrice: Generated<number>;
    goodwillPrice: Generated<number>;
    collected: number | null;
    isUserEmailConfirmed: Generated<boolean>;
    wasEmailConfirmed: Generated<boolean>;
  };
  overpayments: {
    id: string;
    orderId: string;
    receivedAt: Generated<string>;
    amount: number;
    receivedBy: string;
    actor: string;
    isWithPayment: Generated<boolean>;
    collected: Generated<number>;
    status: Generated<string>;
    paidBackBy: string | null;
    endedAt: string | null;
    requestKey: string | null;
    requestHash: Buffer | null;
    paymentId: string | null;
    triedAt: string | null;
    attempt: Generated<number>;
  };
  parcelItems: {
    parcelId: string;
    position: number;
    qty: number;
  };
  parcels: {
    id: string;
    orderId: string;
    sentAt: Generated<string>;
    actor: string;
    carrier: Generated<string>;
    trackingNumber: Generated<string>;
    trackingLink: Generated<string>;
    expectedOn: string | null;
    status: Generated<string>;
    toldAt: string | null;
    batchId: string | null;
    carrierLink: string | null;
    amountDue: number | null;
  };
  passwordResets: {
    userId: string;
    codeHash: Buffer;
    triesLeft: number;
    createdAt: Generated<string>;
    expiresAt: string;
    askerHash: Buffer;
    othersTriesLeft: number;
    linkHash: Buffer | null;
  };
  paymentEvents: {
    id: string;
    kind: string;
    receivedAt: Generated<string>;
  };
  paymentWatch: {
    onlyRow: Generated<boolean>;
    askedUntil: string;
  };
  priceLog: {
    productId: string;
    size: Generated<string>;
    at: Generated<string>;
    price: number;
  };
  productDimensions: {
    productId: string;
    position: number;
    width: number | null;
    depth: number | null;
    height: number | null;
    seatHeight: number | null;
    seats: string | null;
    door: number | null;
  };
  productSizes: {
    productId: string;
    position: number;
    size: string;
    quantity: number;
    price: number;
    measurements: ColumnType<Measurement[], string | undefined, string>;
    sku: Generated<string>;
    barcode: Generated<string>;
    costPrice: number | null;
    weight: number | null;
    regularPrice: number | null;
    salePrice: number | null;
    wasPrice: number | null;
    model: string | null;
  };
  products: {
    id: string;
    name: string;
    description: string;
    fit: Generated<string>;
    category: string;
    subCategory: Generated<string>;
    brand: string;
    price: number;
    countInStock: number;
    images: Generated<string[]>;
    measurements: ColumnType<Measurement[], string | undefined, string>;
    colors: ColumnType<Colour[], string | undefined, string>;
    rating: Generated<number>;
    isNewArrival: Generated<boolean>;
    isRecommend: Generated<boolean>;
    version: Generated<number>;
    createdAt: Generated<string>;
    updatedAt: Generated<string>;
    deletedAt: string | null;
    inStock: Generated<boolean>;
    categoryKey: Generated<string>;
    subCategoryKey: Generated<string>;
    brandKey: Generated<string>;
    materials: Generated<string[]>;
    colourFamilies: Generated<string[]>;
    fitKey: Generated<string>;
    attributesVersion: Generated<number>;
    labelWords: Generated<string>;
    search: Generated<string>;
    scarcity: Generated<number>;
    shown: ColumnType<Record<string, Shown>, string | undefined, string>;
    model: string | null;
    fromPrice: Generated<number>;
    isAvailable: Generated<boolean>;
    stockLevel: Generated<number>;
    leastWidth: Generated<number>;
    mostWidth: Generated<number>;
    leastHeight: Generated<number>;
    mostHeight: Generated<number>;
    seats: Generated<string[]>;
    deliveryClass: Generated<string>;
    vatClass: Generated<string>;
    guarantee: Generated<string>;
    state: Generated<string>;
    liveFrom: string | null;
    stateBefore: string | null;
    sku: Generated<string>;
    barcode: Generated<string>;
    supplier: Generated<string>;
    supplierReference: Generated<string>;
    costPrice: number | null;
    weight: number | null;
    boxes: Generated<string>;
    assemblyMinutes: number | null;
    careText: Generated<string>;
    seoTitle: Generated<string>;
    seoDescription: Generated<string>;
    regularPrice: number | null;
    salePrice: number | null;
    saleFrom: string | null;
    saleTo: string | null;
    saleSince: string | null;
    wasPrice: number | null;
    priceChangesAt: string | null;
    lowStock: number | null;
    successorId: string | null;
    pictureSources: ColumnType<Record<string, string>, string | undefined, string>;
    leadWeeks: number | null;
    readyFrom: string | null;
    goesWith: Generated<string>;
    setParts: Generated<string>;
    toPrice: Generated<number>;
  };
  promotions: {
    id: string;
    createdAt: Generated<string>;
    name: string;
    code: string | null;
    kind: string;
    value: number;
    categories: Generated<string[]>;
    brands: Generated<string[]>;
    products: Generated<string[]>;
    leastSubtotal: Generated<number>;
    startsAt: string | null;
    endsAt: string | null;
    mostUses: number | null;
    mostUsesEach: number | null;
    isFirstOrder: Generated<boolean>;
    isOn: Generated<boolean>;
  };
  providerEntries: {
    id: string;
    kind: string;
    amount: number;
    fee: number;
    createdAt: string;
    sourceId: string;
    paymentId: string | null;
  };
  rateLimits: {
    key: string;
    tries: number;
    resetsAt: string;
  };
  recoveryCodes: {
    userId: string;
    codeHash: Buffer;
  };
  redemptions: {
    orderId: string;
    promotionId: string;
    name: string;
    code: string | null;
    discount: number;
    isFreeDelivery: Generated<boolean>;
    isUsed: Generated<boolean>;
    leastSubtotal: number | null;
    kind: string | null;
    value: number | null;
    goods: unknown | null;
    meantFor: unknown | null;
  };
  reviewHidings: {
    productId: string;
    userId: string;
    hiddenAt: string;
    hiddenReason: string;
  };
  reviewMailStops: {
    userId: string;
    stoppedAt: Generated<string>;
  };
  reviewRequests: {
    orderId: string;
    tokenHash: Buffer;
    askedAt: Generated<string>;
  };
  reviewSummaries: {
    productId: string;
    givenRating: number;
    counts: number[];
  };
  reviewVotes: {
    reviewId: string;
    userId: string;
    createdAt: Generated<string>;
  };
  reviews: {
    id: string;
    productId: string;
    userId: string;
    rating: number;
    text: Generated<string>;
    images: Generated<string[]>;
    helpful: Generated<number>;
    createdAt: Generated<string>;
    hiddenAt: string | null;
    hiddenReason: Generated<string>;
    reply: Generated<string>;
    repliedAt: string | null;
    pictureKey: Generated<Buffer>;
    isNew: Generated<boolean>;
    author: string | null;
  };
  salesBestSellers: {
    productId: string;
    pieces: number;
    revenue: number;
  };
  salesChanges: {
    day: string;
    productId: string | null;
    listed: Generated<number>;
    orders: Generated<number>;
    pieces: Generated<number>;
    revenue: Generated<number>;
  };
  salesDays: {
    day: string;
    listed: number;
    orders: number;
    revenue: number;
  };
  salesFactChanges: {
    day: string;
    fact: string;
    key: string;
    count: number;
    amount: number;
    net: number;
    cost: number;
  };
  salesFactMonths: {
    month: string;
    fact: string;
    key: string;
    count: number;
    amount: number;
    net: number;
    cost: number;
  };
  salesFacts: {
    day: string;
    fact: string;
    key: string;
    count: number;
    amount: number;
    net: number;
    cost: number;
  };
  salesPieces: {
    day: string;
    productId: string;
    pieces: number;
    revenue: number;
  };
  salesRecounts: {
    day: string;
  };
  salesWindow: {
    isOnly: Generated<boolean>;
    since: string;
  };
  schemaCompatibility: {
    onlyRow: Generated<boolean>;
    oldestMigration: string;
  };
  secondFactors: {
    userId: string;
    secret: Buffer | null;
    pendingSecret: Buffer | null;
    pendingAt: string | null;
    confirmedAt: string | null;
    lastStep: Generated<number>;
  };
  secondPaymentOutcomes: {
    id: string;
    paymentId: string;
    kind: string;
    amount: number;
    status: string;
  };
  secondPayments: {
    paymentId: string;
    orderId: string;
    paidAt: Generated<string>;
    amount: number;
  };
  sessions: {
    tokenHash: Buffer;
    userId: string;
    createdAt: Generated<string>;
    expiresAt: string;
    provenAt: string | null;
  };
  shopMarks: {
    name: string;
    subject: string;
    tokenHash: Buffer | null;
    askedAt: string | null;
    seenAt: string | null;
  };
  shopSettings: {
    section: string;
    version: number;
    values: unknown;
    savedAt: Generated<string>;
    actorId: string | null;
    actorName: string;
  };
  staffNotes: {
    id: Generated<string>;
    orderId: string | null;
    userId: string | null;
    text: string;
    actor: string;
    createdAt: Generated<string>;
  };
  staffNotices: {
    id: GeneratedAlways<number>;
    address: string;
    event: string;
    text: string;
    path: string;
    dueAt: string;
    createdAt: Generated<string>;
  };
  staffTags: {
    id: Generated<string>;
    orderId: string | null;
    userId: string | null;
    tag: string;
    actor: string;
    createdAt: Generated<string>;
  };
  stockAlerts: {
    id: string;
    productId: string;
    email: string;
    tokenHash: Buffer;
    createdAt: Generated<string>;
    confirmedAt: string | null;
  };
  stockCounts: {
    sheet: string;
    productId: string;
    size: Generated<string>;
    expected: number;
    counted: number;
    reason: string;
    actor: string;
    at: Generated<string>;
  };
  stockMovements: {
    id: GeneratedAlways<number>;
    productId: string;
    size: string | null;
    change: number;
    balance: number;
    reason: string;
    actor: string;
    note: string;
    orderId: string | null;
    at: Generated<string>;
  };
  storedPictures: {
    id: string;
    storedAt: Generated<string>;
    againAt: string | null;
  };
  users: {
    id: string;
    name: string;
    email: string;
    passwordHash: string;
    isAdmin: Generated<boolean>;
    createdAt: Generated<string>;
    updatedAt: Generated<string>;
    search: Generated<string>;
    isEmailConfirmed: Generated<boolean>;
    confirmedEmail: string | null;
    confirmHash: Buffer | null;
    staffRole: Generated<string>;
    formerEmail: string | null;
  };
  webhookMessages: {
    id: string;
    webhookId: string;
    topic: string;
    items: unknown;
    madeAt: Generated<string>;
    attempts: Generated<number>;
    triedAt: string | null;
    status: number | null;
    problem: Generated<string>;
    sentAt: string | null;
  };
  webhookNews: {
    id: GeneratedAlways<number>;
    webhookId: string;
    topic: string;
    item: unknown;
    at: Generated<string>;
  };
  webhooks: {
    id: string;
    address: string;
    topics: string[];
    secret: Buffer;
    isOn: Generated<boolean>;
    madeBy: string;
    madeAt: Generated<string>;
  };
  wishLinks: {
    token: string;
    userId: string | null;
    wishes: unknown | null;
    createdAt: Generated<string>;
    updatedAt: Generated<string>;
  };
}
