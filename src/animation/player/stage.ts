/** The picture of a scene at a time, by WebGL. It draws when it is told to, and says when something has changed that asks for it. */
import {
  BufferAttribute,
  BufferGeometry,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  NeutralToneMapping,
  Object3D,
  PCFShadowMap,
  PerspectiveCamera,
  Quaternion,
  Scene as Space,
  SphereGeometry,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { ArrowKind, Triangles } from '../animation.ts';
import { linear } from '../color.ts';
import { framed } from '../framing.ts';
import { poseAt, type Scene, type SceneNode } from '../scene.ts';
import { isConstant } from '../track.ts';
import { centreOf, radiusOf } from '../view.ts';
import { Ground } from './ground.ts';
import { Arrow, axesOf, usualSize } from './marks.ts';

/** Something with a name at a place of the picture, in pixels. */
export interface Label {
  readonly name: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly kind: 'object' | ArrowKind;
}

/** Of half of the height of the picture, at the distance of what the camera looks at. */
const FRAME_SIZE = 0.2;
const ARROW_SIZE = 0.6;
/** Pixels: of a dot, the least of a frame, and at the top below buttons. */
const [DOT, LEAST_FRAME, BUTTONS] = [3, 12, 52] as const;
/** Buttons never count for more than this share of the height. */
const MOST_COVERED = 0.25;
/** An object that is followed is seen from at most so many times its size. */
const FOLLOW_DISTANCE = 8;

interface Item {
  readonly node: SceneNode;
  readonly object: Object3D;
  /** What is stretched is no object with a frame. */
  readonly frame: Mesh | undefined;
  /** In its place where it is too small to be seen. */
  readonly dot: Mesh | undefined;
  readonly radius: number;
  isWanted: boolean;
}

export class Stage {
  showsFrames: boolean;
  showsArrows: boolean;
  showsNames = false;
  showsGround: boolean;
  private readonly renderer: WebGLRenderer;
  private readonly space = new Space();
  /** Everything, as seen from what the camera looks at. */
  private readonly world = new Group();
  /** What moves, in the axes of the model. */
  private readonly root = new Group();
  private readonly camera = new PerspectiveCamera();
  private readonly controls: OrbitControls;
  private readonly sun = new DirectionalLight('#fff6ea', 2.6);
  /** Beside the reader, so that no side that is seen is dark. */
  private readonly lamp = new DirectionalLight('#f2f6ff', 1.3);
  private readonly sky = new HemisphereLight('#ffffff', '#a3abb3', 2);
  private readonly ground: Ground;
  private items: readonly Item[] = [];
  private arrows: readonly Arrow[] = [];
  private readonly centre = new Vector3();
  private radius = 0;
  private time = 0;
  private followed: Item | undefined;
  private isNear = true;
  /** Whether the reader has turned or moved the view. */
  private isTouched = false;
  private readonly followedAt = new Vector3();
  /** The length of the arms of frames of objects without a shape. */
  private usualFrame = Number.POSITIVE_INFINITY;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    private scene: Scene,
    changed: () => void,
  ) {
    this.renderer = new WebGLRenderer({ canvas, context, antialias: true, alpha: true });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.showsGround = scene.ground;
    this.showsFrames = scene.nodes.every(({ shape }) => shape === undefined);
    this.showsArrows = scene.showsArrows;
    this.ground = new Ground(scene.extent.low[1]);
    this.furnish(scene);
    this.light();
    this.space.add(this.world.add(this.root, this.ground.group));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', changed);
    this.controls.addEventListener('start', () => (this.isTouched = true));
    this.resize();
    canvas.addEventListener('webglcontextrestored', changed);
  }

  /** Another scene in the place of this one, seen from where it was. */
  change(scene: Scene): void {
    const followed = this.followed?.node.name;
    for (const { object, frame, dot } of this.items)
      for (const part of [object, frame, dot]) if (part instanceof Mesh) release(part);
    this.root.clear();
    this.followed = undefined;
    this.furnish(scene);
    if (!this.isTouched) this.reset();
    const again = scene.nodes.findIndex(({ name }) => name === followed);
    if (again >= 0) this.follow(again, this.isNear);
  }

  private furnish(scene: Scene): void {
    this.scene = scene;
    this.centre.set(...centreOf(scene.extent));
    this.radius = radiusOf(scene.extent);
    this.time = scene.times[0]!;
    this.ground.height = scene.extent.low[1];
    setTurn(this.root.quaternion, scene.upright);
    this.items = itemsOf(scene);
    const sizes = this.items.flatMap(({ radius }) => (radius > 0 ? [radius] : [])).sort((a, b) => a - b);
    this.usualFrame = sizes[sizes.length >> 1] ?? Number.POSITIVE_INFINITY;
    this.arrows = scene.arrows.map((arrow) => new Arrow(arrow, usualSize(scene, arrow.kind)));
    for (const { object, frame, dot } of this.items)
      this.root.add(object, ...(frame ? [frame] : []), ...(dot ? [dot] : []));
    for (const { group } of this.arrows) this.root.add(group);
  }

  /** Lights alone: an environment that is mirrored takes seconds to prepare where pictures are drawn without hardware. */
  private light(): void {
    const { sun, sky, lamp } = this;
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 3;
    this.world.add(sun, sun.target, lamp, lamp.target);
    this.space.add(sky);
  }

  /** As large as the element that the canvas fills; what is in view is fitted in, until the reader chooses it. */
  resize(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement!;
    const [width, height] = [Math.max(1, clientWidth), Math.max(1, clientHeight)];
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // What is looked at is in the middle of what no buttons cover; a given camera shows what it shows.
    if (this.covered > 0)
      this.camera.setViewOffset(width, height, 0, (-this.covered * height) / 2, width, height);
    if (this.isTouched) this.camera.updateProjectionMatrix();
    else this.reset();
  }

  /** The share of the picture that is below buttons, where the picture is free to choose its place. */
  private get covered(): number {
    return this.scene.camera ? 0 : Math.min(MOST_COVERED, BUTTONS / Math.max(1, this.canvas.clientHeight));
  }

  dark(isDark: boolean): void {
    this.ground.color(isDark ? '#5d6975' : '#9aa5b1', isDark ? 0.5 : 0.22);
    this.sky.intensity = isDark ? 1.5 : 2;
  }

  /** As the scene has it, or with all in view. */
  reset(): void {
    this.isTouched = false;
    const { position, target, fieldOfView } = framed(this.scene, this.camera.aspect, this.covered);
    this.camera.fov = (fieldOfView * 180) / Math.PI;
    this.camera.position.set(...position);
    this.controls.target.set(...target);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    if (this.followed) this.hold();
  }

  /** Turns about what the camera looks at, in radians, and comes closer by a factor. */
  orbit(left: number, up: number, closer: number): void {
    this.isTouched = true;
    if (left !== 0) this.controls.rotateLeft(left);
    if (up !== 0) this.controls.rotateUp(up);
    if (closer !== 1) this.controls.dollyIn(1 / closer);
  }

  /** Keeps an object where it is in the picture, seen from near by or as it is at the start; nothing where it is left out. */
  follow(node?: number, isNear = true): void {
    this.followed = node === undefined ? undefined : this.items[node];
    this.isNear = isNear;
    if (this.followed) this.hold();
  }

  /** The number of the object that is followed. */
  get followedNode(): number | undefined {
    return this.followed && this.items.indexOf(this.followed);
  }

  private hold(): void {
    const { node, object, radius } = this.followed!;
    this.locate(object.position, this.followedAt);
    if (!this.isNear) {
      const { position } = poseAt(this.scene.times, node, this.scene.times[0]!);
      const start = this.locate(place.set(...position), new Vector3());
      this.move(start.negate().add(this.followedAt));
      return;
    }
    // Looks at it, from not too far.
    const away = new Vector3().subVectors(this.camera.position, this.controls.target);
    if (radius > 0) away.clampLength(0, FOLLOW_DISTANCE * radius);
    this.controls.target.copy(this.followedAt);
    this.camera.position.addVectors(this.followedAt, away);
    this.controls.update();
  }

  private move(by: Vector3): void {
    this.controls.target.add(by);
    this.camera.position.add(by);
  }

  /** Where something of the model is in the picture. */
  private locate(place: Vector3, out: Vector3): Vector3 {
    return out.copy(place).applyQuaternion(this.root.quaternion);
  }

  want(node: number, isWanted: boolean): void {
    this.items[node]!.isWanted = isWanted;
    this.show(this.time);
  }

  /** Puts everything where it is at a time. */
  show(time: number): void {
    this.time = time;
    const { times } = this.scene;
    for (const { node, object, frame, isWanted } of this.items) {
      const { position, rotation, scale, visible } = poseAt(times, node, time);
      object.position.set(...position);
      setTurn(object.quaternion, rotation);
      object.scale.set(...scale);
      object.visible = visible && isWanted;
      frame?.position.copy(object.position);
      frame?.quaternion.copy(object.quaternion);
    }
    for (const arrow of this.arrows) arrow.show(times, time);
    if (!this.followed) return;
    const moved = this.locate(this.followed.object.position, new Vector3()).sub(this.followedAt);
    this.followedAt.add(moved);
    this.move(moved);
  }

  /** Draws; gives what has a name that is to be shown. */
  draw(): readonly Label[] {
    const { camera, controls, ground, world } = this;
    const distance = camera.position.distanceTo(controls.target);
    const half = distance * Math.tan((camera.fov * Math.PI) / 360);
    const least = (LEAST_FRAME * 2 * half) / this.canvas.clientHeight;
    for (const item of this.items) {
      this.dot(item);
      if (!item.frame) continue;
      item.frame.visible = this.showsFrames && item.object.visible;
      // As large as what it is the frame of, as far as that looks well.
      const size = Math.min(FRAME_SIZE * half, item.radius || this.usualFrame);
      item.frame.scale.setScalar(Math.max(least, size));
    }
    for (const arrow of this.arrows) {
      arrow.scale(ARROW_SIZE * half);
      arrow.group.visible &&= this.showsArrows;
    }
    const back = new Quaternion().copy(this.root.quaternion).invert().multiply(camera.quaternion);
    for (const { node, object } of this.items) if (node.facing) object.quaternion.copy(back);
    ground.group.visible = this.showsGround;
    ground.place(controls.target, distance);
    this.shine(distance);
    const far = camera.position.distanceTo(this.centre) + this.radius + 15 * distance;
    camera.near = Math.max(distance / 200, far / 1e5);
    camera.far = far;
    camera.updateProjectionMatrix();
    // Graphics compute in single precision: with the origin at what is looked at, bodies far from that of the model do not tremble.
    world.position.copy(controls.target).negate();
    camera.position.sub(controls.target);
    this.renderer.render(this.space, camera);
    const labels = this.labels(half);
    camera.position.add(controls.target);
    camera.updateMatrixWorld();
    return labels;
  }

  /** Bodies that would be smaller than a few pixels are dots: a rocket on its way to orbit, a planet. */
  private dot({ object, dot, radius }: Item): void {
    if (!dot) return;
    const away = this.locate(object.position, place).distanceTo(this.camera.position);
    const pixel = (2 * away * Math.tan((this.camera.fov * Math.PI) / 360)) / this.canvas.clientHeight;
    dot.visible = object.visible && radius < DOT * pixel;
    dot.position.copy(object.position);
    dot.scale.setScalar(DOT * pixel);
  }

  /** The sun follows what is looked at, so that shadows are as fine as they are seen. */
  private shine(distance: number): void {
    const { sun, lamp, controls } = this;
    lamp.position.copy(this.camera.position);
    lamp.target.position.copy(controls.target);
    const reach = Math.min(this.radius * 1.6 + controls.target.distanceTo(this.centre), distance * 1.2);
    sun.target.position.copy(controls.target);
    sun.position.copy(controls.target).addScaledVector(SUN, 4 * reach);
    const { camera } = sun.shadow;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = reach;
    camera.far = 8 * reach;
    camera.updateProjectionMatrix();
    sun.shadow.normalBias = reach / 600;
  }

  private labels(half: number): Label[] {
    const { clientWidth, clientHeight } = this.canvas;
    const found: Label[] = [];
    const add = (name: string, text: string, kind: Label['kind']) => {
      place.applyQuaternion(this.root.quaternion).sub(this.controls.target).project(this.camera);
      if (Math.abs(place.x) > 1 || Math.abs(place.y) > 1 || place.z > 1) return;
      found.push({
        name,
        text,
        kind,
        x: ((1 + place.x) / 2) * clientWidth,
        y: ((1 - place.y) / 2) * clientHeight,
      });
    };
    for (const { node, object } of this.showsNames ? this.items : [])
      if (object.visible) {
        place.copy(object.position);
        add(node.name, node.name, 'object');
      }
    for (const arrow of this.arrows) {
      if (!arrow.group.visible) continue;
      const { name, kind } = arrow.arrow;
      arrow.tip(ARROW_SIZE * half, place);
      add(name, `${name} ${Number(arrow.size.toPrecision(3))} ${units[kind]}`, kind);
    }
    return found;
  }
}

const units: Readonly<Record<ArrowKind, string>> = {
  force: 'N',
  torque: 'N·m',
  velocity: 'm/s',
  acceleration: 'm/s²',
  angularVelocity: 'rad/s',
  angularAcceleration: 'rad/s²',
};
/** What graphics keep of a mesh. */
function release({ geometry, material }: Mesh): void {
  geometry.dispose();
  for (const one of [material].flat()) one.dispose();
}

const place = new Vector3();
const SUN = new Vector3(0.35, 0.85, 0.45).normalize();

const setTurn = (turn: Quaternion, [w, x, y, z]: readonly [number, number, number, number]): void => {
  turn.set(x, y, z, w);
};

function itemsOf({ nodes, shapes }: Scene): Item[] {
  const geometries = shapes.map(geometryOf);
  const round = new SphereGeometry(1, 16, 12);
  return nodes.map((node, n): Item => {
    const { shape } = node;
    if (shape === undefined)
      return { node, object: new Object3D(), frame: axesOf(), dot: undefined, radius: 0, isWanted: true };
    const geometry = geometries[shape]!;
    const material = materialOf(node, shapes[shape]!);
    // Of surfaces in one plane always the same one is in front.
    Object.assign(material, { polygonOffset: true, polygonOffsetUnits: 4 * (n % 16) });
    const object = new Mesh(geometry, material);
    object.castShadow = node.material.opacity > 0.5;
    object.receiveShadow = true;
    const { center, radius } = geometry.boundingSphere!;
    const dot = node.facing ? undefined : new Mesh(round, materialOf(node));
    const frame = isConstant(node.scale) ? axesOf() : undefined;
    return { node, object, frame, dot, radius: center.length() + radius, isWanted: true };
  });
}

function geometryOf({ positions, normals, indices, colors }: Triangles): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  if (colors) geometry.setAttribute('color', new BufferAttribute(colors.map(linear), 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  geometry.computeBoundingSphere();
  return geometry;
}

function materialOf({ material }: SceneNode, { colors }: Partial<Triangles> = {}): MeshStandardMaterial {
  const { color, opacity, metallic, roughness } = material;
  // Without anything to mirror, a metal would be black.
  const made = new MeshStandardMaterial({
    metalness: 0.35 * metallic,
    roughness,
    vertexColors: colors !== undefined,
  });
  if (!colors) made.color.setRGB(...color, SRGBColorSpace);
  if (opacity < 1) Object.assign(made, { opacity, transparent: true, depthWrite: false });
  return made;
}
