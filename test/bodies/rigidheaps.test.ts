/**
 * Heaps of rigid bodies in a bin, at instants at which it is hard to say what touches: scenes that were drawn at random. Forces press and are within their cones,
 * and what moves in a plane stays in it. And what rolls on edges with which its ends are flush.
 */
import { expect, test } from 'vitest';
import { expectCones } from './pushed.ts';
import { box, g, ground, law, near, touches, world } from './rigidnotation.ts';
import { telling } from './told.ts';

const upright = 'World world(rigidContact = true, direction = {0, 0, -1});';
const bin = [
  `Box floor(parent = "world", lengthX = 10, lengthY = 10, lengthZ = 0.2, translation = {0, 0, -0.1}, ${touches});`,
  ...[
    [-1, 0],
    [1, 0],
    [0, -1],
    [0, 1],
  ].map(
    ([x, y], k) =>
      `Box w${k}(parent = "world", lengthX = ${x ? 0.1 : 2}, lengthY = ${y ? 0.1 : 2}, lengthZ = 2, translation = {${0.3 * x!}, ${0.3 * y!}, 1}, ${touches});`,
  ),
];

const inCorners = [
  `Sphere b0(diameter = 0.17418996295891703, mass = 4.085049432003871, translation = {-0.16290501852054146, -0.10922004522904155, 0.0870949814794585}, rotation = {-0.1395470395363258, -0.9272400974876589, -0.264052934443786}, velocity = {0, -0.10047495277956109, 0}, angularVelocity = {1.1536250547714801, 2.9411134249885634e-15, -1.1536250547714764}, fixed = false, ${touches});`,
  `Sphere b1(diameter = 0.1567551435204223, mass = 4.4437564089894295, translation = {0.17162242823978882, 0.1424770699820349, 0.07837757176021116}, rotation = {-2.9504517751568238, -0.5011877015660094, -2.501846839820302}, velocity = {0, 0.3100509534408929, 1.5371616508477474e-15}, angularVelocity = {-3.955863220532824, 1.9612264270569118e-14, -3.9558632205328417}, fixed = false, ${touches});`,
  `Box b2(lengthX = 0.20010445965453982, lengthY = 0.2, lengthZ = 0.13926222337409855, mass = 2.4529505749233067, translation = {-0.01185155283197018, -0.043687778761367584, 0.11971067079446483}, rotation = {-0.22666269133750586, 1.142533510803923, 0.2478634802053166}, velocity = {0.011693465723017339, -0.017601206845044043, -0.03930868227992405}, angularVelocity = {0.09645551749062722, 0.9006180813237821, -0.6268217907120447}, fixed = false, ${touches});`,
  `Box b3(lengthX = 0.14985945492517203, lengthY = 0.2, lengthZ = 0.10379707621410489, mass = 3.448170048184693, translation = {0.15982664633512644, 0.02437064446936544, 0.179321613883016}, rotation = {0.6295579758302228, 0.45940647427930936, 0}, velocity = {0.024328238257372098, 0.0977589332815399, -0.2625334167924089}, angularVelocity = {-1.9639423778741882, -1.4793551189244205, -1.0776183945217654}, fixed = false, ${touches});`,
  `Box b4(lengthX = 0.22969307866878808, lengthY = 0.2, lengthZ = 0.13716339221224189, mass = 5.144219984766096, translation = {-0.05532082170795015, 0.021327224593201254, 0.28820337887288117}, rotation = {0.034801983414675566, -0.4154026658967394, 1.0605688890512823}, velocity = {-0.3590883205971822, 0.30406609184298716, -0.18785205094013463}, angularVelocity = {-2.085354083213514, 0.7620528473398559, 0.6667384517077458}, fixed = false, ${touches});`,
];
const onOneCorner = [
  `Box b0(lengthX = 0.21683739932486787, lengthY = 0.2, lengthZ = 0.11067809153348207, mass = 4.824700442375615, translation = {0.009408169542576233, -0.038375220963752905, 0.05533904576674103}, rotation = {0, 0, 0.0427453138890798}, velocity = {0, 0, 0}, angularVelocity = {0, 0, 0}, fixed = false, ${touches});`,
  `Box b1(lengthX = 0.2110853356658481, lengthY = 0.2, lengthZ = 0.13533834226429464, mass = 5.065182052319869, translation = {-0.0507055662177619, -0.03432687967132102, 0.1783472626656294}, rotation = {0, 0, 0.6155911997678865}, velocity = {0, 0, 0}, angularVelocity = {0, 0, 0}, fixed = false, ${touches});`,
  `Cylinder b2(axis = 2, diameter = 0.1411010484211147, length = 0.2, mass = 2.811497660120949, translation = {-0.0439153753040229, 0.049611068589625516, 0.3165669580083336}, rotation = {-0.005017437620472607, 0.0023960296367339057, 1.1252808528553269}, velocity = {0.06030744914569602, 0.12628684172132928, 0}, angularVelocity = {-1.2931260886022338, 0.61752384305752, 0.9581620624259485}, fixed = false, ${touches});`,
  `Sphere b3(diameter = 0.14875186763238163, mass = 1.8038793648593128, translation = {-0.09470333926959865, -0.11540573260484724, 0.3294528798115484}, rotation = {1.636341636139791, -1.113288841911932, 1.3920748000571308}, velocity = {-0.48241219486925757, -0.7356989569427419, -1.7888551928903966}, angularVelocity = {15.819142639167223, -14.165839687480858, -1.3286378377155543}, fixed = false, ${touches});`,
  `Sphere b4(diameter = 0.14227329227142038, mass = 4.27124416292645, translation = {-0.04517459943890572, -0.0029174499679356816, 0.4502929105497804}, rotation = {0.3940285821445286, -0.3382379056420177, 0.28617919329553854}, velocity = {0, 0, -3.911246999999992}, angularVelocity = {0, 0, 0}, fixed = false, ${touches});`,
];

test.each<readonly [string, readonly string[], number, number]>([
  // A ball begins to slip along a wall, in the only direction that the floor lets it.
  ['leans on others in corners', inCorners, 0.418421538849361, 7e-4],
  // A point parts by 3e-6 m/s from what it slips on by as little: to hold it would turn the slip.
  ['turns on a corner and an edge', onOneCorner, 0.418615315062925, 3e-4],
])('what %s goes on by forces that there can be', async (_, bodies, friction, end) => {
  const names = ['floor', 'w0', 'w1', 'w2', 'w3', ...bodies.map((_, k) => `b${k}`)];
  const sensors = names.flatMap((one, i) =>
    names
      .slice(Math.max(i + 1, 5))
      .map((other) => `ContactSensor s_${one}_${other}(object1 = "${one}", object2 = "${other}");`),
  );
  const { result, told } = await telling([upright, law(0.2, friction), ...bin, ...bodies, ...sensors], {
    stopTime: end,
    tolerance: 1e-6,
    intervals: 20,
  });
  expect(told).toEqual([]);
  expect(result.statistics.events).toBeLessThan(40);
  expectCones(result, friction, 150);
});

test.each([
  [3e-10, -1e-10],
  [-1e-9, 1e-10],
])('a cylinder rolls down a plate that is as wide, turned by %d and moved by %d', async (turned, aside) => {
  const angle = 0.2;
  const { result, told } = await telling(
    [
      upright,
      law(0, 0.5),
      `Object3D slope(parent = "world", rotation = {0, ${angle}, 0});`,
      `Box plate(parent = "slope", translation = {0, 0, -0.05}, lengthX = 10, lengthY = 0.2, lengthZ = 0.1, ${touches});`,
      `Cylinder c(fixed = false, parent = "slope", axis = 2, diameter = 0.1, length = 0.2, translation = {0, ${aside}, 0.05}, rotation = {0, 0, ${turned}}, ${touches});`,
    ],
    { stopTime: 1, tolerance: 1e-8 },
  );
  expect(told).toEqual([]);
  expect(result.statistics.events).toBeLessThan(3);
  const [x, z] = [result.table.value('c.v[1]', 1), result.table.value('c.v[3]', 1)];
  near(Math.hypot(x, z), (2 / 3) * g * Math.sin(angle), 1e-10);
});

test('what bounces between two others in a plane stays in it: lines that meet are no points', async () => {
  const own = `fixed = false, ${touches}`;
  const bodies = [
    `Box b1(lengthX = 0.1834282855852507, lengthY = 0.2, lengthZ = 0.08131945885717869, mass = 3.6962301989551634, translation = {-0.01970491090623641, 0, 0.09732685933605115}, rotation = {0, 0.9081892552075902, 0}, velocity = {-0.24224507767792747, 0, -0.00427041449064553}, angularVelocity = {0, -2.4889727435051503, 0}, ${own});`,
    `Box b3(lengthX = 0.17971886693267153, lengthY = 0.2, lengthZ = 0.0972753605246544, mass = 1.0226711358409375, translation = {-0.10063846197103345, 0, 0.2255575691430687}, rotation = {0, -0.35519492378058737, 0}, velocity = {-1.4040434590011923, 0, -1.6357032271793877}, angularVelocity = {0, 23.475818881330326, 0}, ${own});`,
    `Cylinder b4(axis = 2, diameter = 0.1707246419740841, length = 0.2, mass = 3.414435479324311, translation = {-0.023395820227354057, 0, 0.3874167111506512}, rotation = {0, -0.2461940450559125, 0}, velocity = {0.23574903688057408, 0, -2.565614723080941}, angularVelocity = {0, -2.9347651604557523, 0}, ${own});`,
  ];
  const { result, told } = await telling([upright, law(0.2, 0.41822776263579725), ...bodies], {
    stopTime: 6e-4,
    tolerance: 1e-6,
  });
  expect(told).toEqual([]);
  for (const body of ['b1', 'b3', 'b4'])
    for (const about of ['w[1]', 'w[3]', 'v[2]'])
      near(result.table.value(`${body}.${about}`, 6e-4), 0, 1e-10);
});

test('where a slip ends, friction is all that there is up to the end', async () => {
  const { result, told } = await telling(
    [
      world(),
      ground,
      law(0, 0.5),
      box('b0', 0, 0.15, [0.1, 0.3, 0.2], ', mass = 5, velocity = {-0.3, 0, 0}'),
      box('b1', 0, 0.35, [0.1, 0.1, 0.2], ', mass = 2'),
      `WorldForce push(object = "b0", f = {${0.6 * 7 * g}, 0, 0});`,
      'ContactSensor s(object1 = "ground", object2 = "b0");',
    ],
    { stopTime: 0.05, tolerance: 1e-8 },
  );
  expect(told).toEqual([]);
  const { table } = result;
  let ends = 0;
  for (let row = 1; row < table.rowCount; row++) {
    const isEnd = table.time[row] === table.time[row - 1];
    const slip = table.at('s.slipSpeed', row - 1);
    if (!isEnd || !(slip > 1e-12 && slip < 1e-10)) continue;
    ends++;
    near(table.at('s.frictionForce', row - 1), 0.5 * table.at('s.normalForce', row - 1), 1e-4);
  }
  expect(ends).toBeGreaterThan(0);
});
