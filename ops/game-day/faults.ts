import { setTimeout } from 'node:timers/promises';
import type { Dice } from '#ops/drills/buyers.ts';
import { eventually } from '#server/testing/eventually.ts';
import type { DatabaseHost, Databases } from './cluster.ts';
import type { ShopHost, Shops } from './shops.ts';

/** What a fault is done to. */
export interface Game {
  databases: Databases;
  shops: Shops;
  dice: Dice;
}

interface Fault {
  name: string;
  /** `fail-over`: another node may have to take over, and writes are back within the goal. `none`: writing goes on. `pause`: writing waits for the end. */
  writes: 'fail-over' | 'none' | 'pause';
  /** Whether it may happen while another is under way: it leaves the databases' majority alone. */
  isSmall?: true;
  /** Whether it goes on until another node leads, before its seconds begin. */
  untilAnotherLeads?: true;
  /** Does it; returns what ends it. It is ended after `seconds`. */
  begin(game: Game): Promise<() => Promise<unknown> | unknown>;
  seconds: number;
}

const anyOf = <T>({ dice }: Game, list: readonly T[]): T => list[Math.floor(dice() * list.length)] as T;
const replicasOf = async ({ databases }: Game): Promise<DatabaseHost[]> => {
  const leader = await databases.leader();
  return databases.hosts.filter((host) => host !== leader);
};
const aShop = (game: Game): ShopHost => anyOf(game, game.shops.hosts);

/** Resolves at the first moment at which another host than `before` has the lock. */
export async function anotherLeads(databases: Databases, before: DatabaseHost): Promise<void> {
  await eventually(async () => {
    const others = databases.hosts.filter((host) => host !== before);
    const seen = await Promise.all(others.map((host) => host.members().catch(() => [])));
    const leader = seen.flat().find(({ role }) => role === 'leader')?.name;
    if (!leader || leader === before.name) throw new Error('Nobody has taken over.');
  }, 60);
}

/** Everything that a game day does to the cluster. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'PostgreSQL of the primary is killed',
    writes: 'fail-over',
    seconds: 8,
    begin: async ({ databases }) => {
      (await databases.leader()).killPostgres();
      return () => undefined;
    },
  },
  {
    name: 'the primary’s machine loses its power',
    writes: 'fail-over',
    untilAnotherLeads: true,
    seconds: 5,
    begin: async ({ databases }) => {
      const leader = await databases.leader();
      await leader.powerOff();
      return () => leader.boot();
    },
  },
  {
    name: 'PostgreSQL of the primary freezes, and thaws when another has taken over',
    writes: 'fail-over',
    untilAnotherLeads: true,
    seconds: 5,
    begin: async ({ databases }) => {
      const leader = await databases.leader();
      const pids = leader.postgres();
      leader.freeze(pids);
      return () => leader.thaw(pids);
    },
  },
  {
    name: 'the primary’s machine is paused, and goes on when another has taken over',
    writes: 'fail-over',
    untilAnotherLeads: true,
    seconds: 5,
    begin: async ({ databases }) => {
      const leader = await databases.leader();
      const pids = leader.pids();
      leader.freeze(pids);
      return () => leader.thaw(pids);
    },
  },
  {
    name: 'PostgreSQL of the primary freezes, and thaws in the moment of the change',
    writes: 'fail-over',
    untilAnotherLeads: true,
    seconds: 0,
    begin: async ({ databases }) => {
      const leader = await databases.leader();
      const session = await leader.connect();
      const pids = leader.postgres();
      leader.freeze(pids);
      // The first that it does when it thaws: a segment of the timeline that has ended goes to the archive as a whole.
      const switched = session.query('select pg_switch_wal()').catch(() => undefined);
      return async () => {
        leader.thaw(pids);
        await switched;
        await session.end();
      };
    },
  },
  {
    name: 'the primary is cut from the other databases, not from the shops',
    writes: 'fail-over',
    untilAnotherLeads: true,
    seconds: 5,
    begin: async (game) => {
      const leader = await game.databases.leader();
      leader.cutFrom(...(await replicasOf(game)));
      return () => leader.heal();
    },
  },
  {
    name: 'the primary is cut from the others, and healed in the moment of the change',
    writes: 'fail-over',
    untilAnotherLeads: true,
    seconds: 0,
    begin: async (game) => {
      const leader = await game.databases.leader();
      leader.cutFrom(...(await replicasOf(game)));
      return () => leader.heal();
    },
  },
  {
    name: 'the primary’s machine is unplugged',
    writes: 'fail-over',
    untilAnotherLeads: true,
    seconds: 5,
    begin: async ({ databases }) => {
      const leader = await databases.leader();
      leader.unplug();
      return () => leader.heal();
    },
  },
  {
    name: 'the primary’s disk is full',
    writes: 'pause',
    seconds: 12,
    begin: async ({ databases }) => {
      const leader = await databases.leader();
      leader.fillDisk();
      return () => leader.emptyDisk();
    },
  },
  {
    name: 'a planned switch-over',
    writes: 'fail-over',
    seconds: 8,
    begin: async ({ databases }) => {
      const leader = await databases.leader();
      const said = await leader.ask('POST', '/switchover', { leader: leader.name });
      if (!said.startsWith('200')) throw new Error(`The switch-over was answered ${said}`);
      return () => undefined;
    },
  },
  {
    name: 'both replicas freeze',
    writes: 'pause',
    seconds: 10,
    begin: async (game) => {
      const frozen = (await replicasOf(game)).map((host) => [host, host.postgres()] as const);
      for (const [host, pids] of frozen) host.freeze(pids);
      return () => {
        for (const [host, pids] of frozen) host.thaw(pids);
      };
    },
  },
  {
    name: 'all of etcd is killed',
    writes: 'none',
    seconds: 30,
    begin: async ({ databases }) => {
      await Promise.all(databases.hosts.map((host) => host.end('etcd')));
      return () => {
        for (const host of databases.hosts) host.startEtcd();
      };
    },
  },
  {
    name: 'etcd on the primary’s machine is killed',
    writes: 'none',
    seconds: 10,
    begin: async ({ databases }) => {
      const leader = await databases.leader();
      await leader.end('etcd');
      return () => leader.startEtcd();
    },
  },
  {
    name: 'a replica’s machine loses its power',
    writes: 'none',
    seconds: 12,
    begin: async (game) => {
      const replica = anyOf(game, await replicasOf(game));
      await replica.powerOff();
      return () => replica.boot();
    },
  },
  {
    name: 'a replica replays ten seconds late',
    writes: 'none',
    isSmall: true,
    seconds: 12,
    begin: async (game) => {
      // Another fault may have begun, and nobody leads for a while.
      const replica = anyOf(game, await eventually(() => replicasOf(game)));
      const say = async (text: string) => {
        await replica.query(text);
        await replica.query('select pg_reload_conf()');
      };
      // One that another fault has just made a replica is not up yet.
      await eventually(() => say("alter system set recovery_min_apply_delay = '10s'"));
      return () => eventually(() => say('alter system reset recovery_min_apply_delay'));
    },
  },
  {
    name: 'a shop is cut from the databases',
    writes: 'none',
    isSmall: true,
    seconds: 15,
    begin: async (game) => {
      const shop = aShop(game);
      shop.cutFrom(...game.databases.hosts);
      return () => shop.heal();
    },
  },
  {
    name: 'a shop’s clock jumps two hours, and back',
    writes: 'none',
    isSmall: true,
    seconds: 10,
    begin: async (game) => {
      const shop = aShop(game);
      shop.setClock(2);
      return () => shop.setClock(0);
    },
  },
  {
    name: 'a process of the shop is killed',
    writes: 'none',
    isSmall: true,
    seconds: 5,
    begin: async (game) => {
      const shop = aShop(game);
      await shop.end('shop');
      return () => shop.startShop();
    },
  },
  {
    name: 'the payment provider is away',
    writes: 'none',
    isSmall: true,
    seconds: 20,
    begin: async ({ shops }) => {
      await shops.provider.close();
      return () => shops.provider.open();
    },
  },
  {
    name: 'the object storage is away',
    writes: 'none',
    isSmall: true,
    seconds: 15,
    begin: async ({ shops }) => {
      shops.storage.failure = 503;
      return () => {
        shops.storage.failure = undefined;
      };
    },
  },
  {
    name: 'a rolling update with migrations, or the way back',
    writes: 'none',
    seconds: 1,
    begin: async ({ shops }) => {
      for (const shop of shops.hosts) {
        await shop.stopShop();
        await shop.startShop(shop.version === 'old' ? 'new' : 'old');
        await setTimeout(3_000);
      }
      return () => undefined;
    },
  },
];

/**
 * Every fault as often as the others, in an order that the dice give; each fourth comes with a small one beside it. `only` has words of
 * the faults' names: “WORDS”, or “WORDS + WORDS” for two at once.
 */
export function* drawn(count: number, dice: Dice, only: string): Generator<Fault[]> {
  const [all = [], chosen] = only.split(' + ').map((words) => FAULTS.filter(({ name }) => name.includes(words)));
  if (all.length === 0 || chosen?.length === 0)
    throw new Error(`No fault is called “${only}”. There are:\n${FAULTS.map(({ name }) => name).join('\n')}`);
  let deck: Fault[] = [];
  for (let n = 0; n < count; n += 1) {
    if (deck.length === 0)
      deck = all
        .map((fault) => [dice(), fault] as const)
        .sort(([a], [b]) => a - b)
        .map(([, fault]) => fault);
    const fault = deck.pop() as Fault;
    const small = chosen ?? all.filter((one) => one.isSmall && one !== fault);
    const beside = chosen || n % 4 === 3 ? small[Math.floor(dice() * small.length)] : undefined;
    yield beside ? [fault, beside] : [fault];
  }
}
