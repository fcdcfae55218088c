/** The ground: a grid that fades away, and what falls of shadows on it. From below neither is seen. */
import { Color, Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, type Vector3 } from 'three';

/** How far the grid is seen, and how many cells that are. */
const REACH = 9;
const CELLS = 24;

export class Ground {
  readonly group = new Group();
  private readonly grid: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly shadow: Mesh<PlaneGeometry, ShadowMaterial>;
  private readonly plane = new PlaneGeometry(2, 2).rotateX(-Math.PI / 2);

  constructor(public height: number) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      uniforms: {
        color: { value: new Color() },
        cell: { value: 1 },
        reach: { value: 1 },
        eye: { value: [0, 0] },
      },
    });
    this.grid = new Mesh(this.plane, material);
    this.shadow = new Mesh(this.plane, new ShadowMaterial({ opacity: 0.22, depthWrite: false }));
    this.shadow.receiveShadow = true;
    for (const [order, mesh] of [this.shadow, this.grid].entries()) {
      mesh.frustumCulled = false;
      mesh.renderOrder = order - 2;
      this.group.add(mesh);
    }
  }

  color(lines: string, shadow: number): void {
    (this.grid.material.uniforms.color!.value as Color).set(lines);
    this.shadow.material.opacity = shadow;
  }

  /** About a place, as far as it is seen from a distance. Lines stay where they are: the plane moves by whole cells. */
  place(about: Vector3, distance: number): void {
    const reach = distance * REACH;
    const cell = 10 ** Math.ceil(Math.log10((distance * 2) / CELLS));
    const snap = (value: number): number => Math.round(value / (10 * cell)) * 10 * cell;
    const [x, z] = [snap(about.x), snap(about.z)];
    for (const mesh of [this.grid, this.shadow]) {
      // A little below what stands on it.
      mesh.position.set(x, this.height - 0.0005 * distance, z);
      mesh.scale.set(reach * 1.5, 1, reach * 1.5);
    }
    const { uniforms } = this.grid.material;
    uniforms.cell!.value = cell;
    uniforms.reach!.value = reach;
    uniforms.eye!.value = [about.x - x, about.z - z];
  }
}

const VERTEX = `varying vec2 place;
void main() {
  vec3 scaled = vec3(modelMatrix[0].x, 0.0, modelMatrix[2].z) * position;
  place = scaled.xz;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

/** Lines are a pixel wide, and vanish where cells are hardly wider. */
const FRAGMENT = `uniform vec3 color;
uniform float cell;
uniform float reach;
uniform vec2 eye;
varying vec2 place;
float lines(float size) {
  vec2 at = place / size;
  vec2 width = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / width;
  vec2 line = (1.0 - min(near, 1.0)) * (1.0 - smoothstep(0.15, 0.5, width));
  return max(line.x, line.y);
}
void main() {
  float far = 1.0 - smoothstep(0.1, 1.0, length(place - eye) / reach);
  float alpha = max(lines(cell) * 0.45, lines(cell * 10.0)) * far * far;
  if (alpha < 0.004) discard;
  gl_FragColor = vec4(color, alpha);
  #include <colorspace_fragment>
}`;
