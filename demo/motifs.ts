/**
 * Drawings for posters and backdrops, made of gradients and a few shapes. Each fills a box of a given size
 * and returns SVG; the same film has the same picture.
 */
import type { Look, Motif } from './films.ts';

interface Box {
  w: number;
  h: number;
  colors: Look['colors'];
  /** The next number of 0..1 of this film. */
  next(): number;
}

/** A small generator (mulberry32) seeded with the title, so that no two films are alike and none changes. */
export function numbersOf(title: string): () => number {
  let state = [...title].reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0,
    0x811c9dc5,
  );
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const r = (n: number) => n.toFixed(1);
const circle = (x: number, y: number, radius: number, style: string) =>
  `<circle cx="${r(x)}" cy="${r(y)}" r="${r(radius)}" ${style}/>`;
const sky = ({ w, h, next, colors }: Box, count: number) =>
  many(count, () =>
    circle(
      next() * w,
      next() * h * 0.6,
      0.6 + next() * h * 0.0016,
      `fill="${colors[3]}" opacity="${r(0.2 + next() * 0.6)}"`,
    ),
  ).join('');
/** A soft line of hills or water from the left edge to the right, filled to the bottom. */
const ridge = ({ w, h, next }: Box, y: number, swing: number, style: string) => {
  const points = many(9, (n) => [(w * n) / 8, y + (next() - 0.5) * swing] as const);
  const curve = points.slice(1).map(([x, py], n) => {
    const [px, before] = points[n] ?? [0, y];
    const middle = (px + x) / 2;
    return `C${r(middle)},${r(before)} ${r(middle)},${r(py)} ${r(x)},${r(py)}`;
  });
  return `<path d="M0,${r(points[0]?.[1] ?? y)} ${curve.join(' ')} L${w},${h} L0,${h} Z" ${style}/>`;
};

const DRAW: Record<Motif, (box: Box) => string> = {
  lighthouse: (box) => {
    const { w, h, colors } = box;
    const x = w * 0.34;
    const top = h * 0.3;
    const s = Math.min(w, h);
    return [
      sky(box, 90),
      `<polygon points="${r(x)},${r(top)} ${w},${r(top - h * 0.17)} ${w},${r(top + h * 0.1)}" fill="url(#beam)"/>`,
      `<polygon points="${r(x - s * 0.035)},${r(top + s * 0.03)} ${r(x + s * 0.035)},${r(top + s * 0.03)} ${r(x + s * 0.065)},${r(h * 0.74)} ${r(x - s * 0.065)},${r(h * 0.74)}" fill="${colors[3]}" opacity=".92"/>`,
      ...many(
        3,
        (n) =>
          `<rect x="${r(x - s * (0.043 + n * 0.007))}" y="${r(top + (h * 0.44 - s * 0.03) * (0.22 + n * 0.26))}" width="${r(s * (0.086 + n * 0.014))}" height="${r(h * 0.035)}" fill="#b23a48"/>`,
      ),
      `<rect x="${r(x - s * 0.03)}" y="${r(top - s * 0.03)}" width="${r(s * 0.06)}" height="${r(s * 0.055)}" rx="4" fill="${colors[2]}"/>`,
      `<polygon points="${r(x - s * 0.045)},${r(top - s * 0.03)} ${r(x + s * 0.045)},${r(top - s * 0.03)} ${r(x)},${r(top - s * 0.075)}" fill="#b23a48"/>`,
      circle(x, top, s * 0.16, `fill="${colors[2]}" opacity=".18"`),
      ridge(box, h * 0.74, h * 0.06, 'fill="#0a1420"'),
      ...many(5, (n) => ridge(box, h * (0.82 + n * 0.04), h * 0.02, `fill="${colors[1]}" opacity=".${3 + n}"`)),
    ].join('');
  },
  moons: (box) => {
    const { w, h, colors, next } = box;
    const s = Math.min(w, h);
    return [
      sky(box, 60),
      ...many(7, (n) => {
        const x = w * (0.14 + 0.72 * ((n * 0.38) % 1));
        const y = h * (0.12 + n * 0.085);
        const size = s * (0.06 + next() * 0.07);
        return `<line x1="${r(x)}" y1="0" x2="${r(x)}" y2="${r(y - size)}" stroke="${colors[3]}" stroke-width="1.2" opacity=".4"/>${circle(x, y, size, `fill="${colors[2]}"`)}<path d="M${r(x)},${r(y - size)} A${r(size)},${r(size)} 0 0 1 ${r(x)},${r(y + size)} A${r(size * (0.4 + next() * 0.5))},${r(size)} 0 0 0 ${r(x)},${r(y - size)} Z" fill="${colors[0]}" opacity=".35"/>`;
      }),
      ridge(box, h * 0.86, h * 0.08, `fill="${colors[0]}" opacity=".8"`),
    ].join('');
  },
  rails: (box) => {
    const { w, h, colors } = box;
    const vx = w * 0.5;
    const vy = h * 0.46;
    return [
      circle(vx, vy, Math.min(w, h) * 0.2, `fill="${colors[2]}"`),
      ...many(
        6,
        (n) =>
          `<rect x="0" y="${r(vy - h * 0.1 + n * h * 0.033)}" width="${w}" height="${r(2 + n * 1.2)}" fill="${colors[0]}"/>`,
      ),
      `<rect x="0" y="${r(vy + h * 0.07)}" width="${w}" height="${h}" fill="#0b0e13"/>`,
      ...many(12, (n) => {
        const depth = (n / 12) ** 2;
        const y = vy + h * 0.07 + h * 0.47 * depth;
        return `<line x1="${r(vx - w * 0.42 * depth - 4)}" y1="${r(y)}" x2="${r(vx + w * 0.42 * depth + 4)}" y2="${r(y)}" stroke="${colors[1]}" stroke-width="${r(1 + depth * h * 0.014)}"/>`;
      }),
      ...[-1, 1].map(
        (side) =>
          `<line x1="${r(vx)}" y1="${r(vy + h * 0.07)}" x2="${r(vx + side * w * 0.32)}" y2="${h}" stroke="${colors[2]}" stroke-width="${r(h * 0.006)}" opacity=".9"/>`,
      ),
    ].join('');
  },
  waves: (box) =>
    [
      circle(box.w * 0.7, box.h * 0.3, Math.min(box.w, box.h) * 0.13, `fill="${box.colors[3]}" opacity=".85"`),
      ...many(11, (n) =>
        ridge(
          box,
          box.h * (0.36 + n * 0.06),
          box.h * 0.07,
          `fill="${n % 2 ? box.colors[1] : box.colors[2]}" opacity="${r(0.18 + n * 0.03)}"`,
        ),
      ),
      ridge(box, box.h * 0.9, box.h * 0.05, `fill="${box.colors[0]}" opacity=".8"`),
    ].join(''),
  voices: ({ w, h, colors }) => {
    const s = Math.min(w, h);
    return [0.36, 0.64]
      .flatMap((x, side) =>
        many(9, (n) =>
          circle(
            w * x,
            h * 0.4,
            s * (0.04 + n * 0.042),
            `fill="none" stroke="${side ? colors[2] : colors[3]}" stroke-width="${r(s * 0.008)}" opacity="${r(1 - n * 0.09)}"`,
          ),
        ),
      )
      .join('');
  },
  contours: ({ w, h, colors, next }) => {
    const peaks = many(3, () => [w * (0.2 + next() * 0.6), h * (0.15 + next() * 0.55)] as const);
    const rings = peaks.flatMap(([x, y], peak) =>
      many(12, (n) => {
        const size = Math.min(w, h) * 0.035 * (n + 1);
        const points = many(36, (k) => {
          const angle = (k / 36) * 2 * Math.PI;
          const bend = 1 + 0.14 * Math.sin(angle * 3 + peak + n * 0.14) + 0.08 * Math.cos(angle * 5 - n * 0.2);
          return `${r(x + Math.cos(angle) * size * bend)},${r(y + Math.sin(angle) * size * bend * 0.8)}`;
        });
        return `<polygon points="${points.join(' ')}" fill="none" stroke="${colors[2]}" stroke-width="${n % 4 === 0 ? 3 : 1.3}" opacity="${r(0.75 - n * 0.045)}"/>`;
      }),
    );
    return [
      ...rings,
      `<path d="M${r(w * 0.1)},0 C${r(w * 0.5)},${r(h * 0.3)} ${r(w * 0.2)},${r(h * 0.5)} ${r(w * 0.75)},${h}" fill="none" stroke="#5fa8d3" stroke-width="${r(Math.min(w, h) * 0.016)}" opacity=".85"/>`,
    ].join('');
  },
  mountains: (box) => {
    const { w, h, colors, next } = box;
    const range = (base: number, tall: number, style: string) =>
      `<polygon points="0,${h} ${many(9, (n) => `${r((w * n) / 8)},${r(base - (n % 2 ? tall * (0.6 + next() * 0.4) : tall * next() * 0.3))}`).join(' ')} ${w},${h}" ${style}/>`;
    return [
      circle(w * 0.62, h * 0.24, Math.min(w, h) * 0.09, `fill="${colors[3]}" opacity=".9"`),
      range(h * 0.62, h * 0.3, `fill="${colors[1]}" opacity=".7"`),
      range(h * 0.76, h * 0.26, `fill="${colors[2]}" opacity=".75"`),
      range(h * 0.92, h * 0.2, `fill="${colors[0]}"`),
      ...many(150, () =>
        circle(next() * w, next() * h, 1 + next() * h * 0.0026, `fill="#fff" opacity="${r(0.3 + next() * 0.6)}"`),
      ),
    ].join('');
  },
  tree: ({ w, h, colors, next }) => {
    const lines: string[] = [];
    const grow = (x: number, y: number, length: number, angle: number, depth: number): void => {
      const to = [x + Math.cos(angle) * length, y + Math.sin(angle) * length] as const;
      lines.push(
        `<line x1="${r(x)}" y1="${r(y)}" x2="${r(to[0])}" y2="${r(to[1])}" stroke="#1a120b" stroke-width="${r(depth ** 1.7 * Math.min(w, h) * 0.0014)}" stroke-linecap="round"/>`,
      );
      if (depth === 1)
        lines.push(
          circle(to[0], to[1], Math.min(w, h) * (0.006 + next() * 0.012), `fill="${colors[2]}" opacity=".75"`),
        );
      else
        for (const side of [-1, 1])
          grow(to[0], to[1], length * (0.7 + next() * 0.14), angle + side * (0.28 + next() * 0.28), depth - 1);
    };
    grow(w / 2, h * 0.8, h * 0.15, -Math.PI / 2, 8);
    return [
      circle(w / 2, h * 0.42, Math.min(w, h) * 0.36, `fill="${colors[2]}" opacity=".22"`),
      `<ellipse cx="${r(w / 2)}" cy="${r(h * 0.81)}" rx="${r(w * 0.4)}" ry="${r(h * 0.025)}" fill="#120c07" opacity=".7"/>`,
      ...lines,
    ].join('');
  },
  stars: (box) => {
    const { w, h, colors, next } = box;
    const points = many(9, (n) => [w * (0.16 + 0.7 * ((n * 0.37 + next() * 0.1) % 1)), h * (0.1 + n * 0.062)] as const);
    return [
      sky(box, 220),
      ...many(7, (n) =>
        circle(
          w * 0.5,
          h * 0.98,
          h * (0.2 + n * 0.11),
          `fill="none" stroke="${colors[2]}" stroke-width="1.5" opacity="${r(0.35 - n * 0.04)}"`,
        ),
      ),
      `<polyline points="${points.map(([x, y]) => `${r(x)},${r(y)}`).join(' ')}" fill="none" stroke="${colors[2]}" stroke-width="2" opacity=".6"/>`,
      ...points.map(([x, y]) => circle(x, y, Math.min(w, h) * 0.009, `fill="${colors[3]}"`)),
      ridge(box, h * 0.84, h * 0.05, `fill="${colors[0]}"`),
    ].join('');
  },
  horizon: (box) => {
    const { w, h, colors } = box;
    const s = Math.min(w, h);
    return [
      circle(w / 2, h * 0.52, s * 0.3, 'fill="url(#sun)"'),
      ...many(
        6,
        (n) =>
          `<rect x="0" y="${r(h * (0.5 + n * 0.03))}" width="${w}" height="${r(h * (0.004 + n * 0.0025))}" fill="${colors[1]}"/>`,
      ),
      `<rect x="0" y="${r(h * 0.66)}" width="${w}" height="${h}" fill="${colors[0]}"/>`,
      ...many(
        15,
        (n) =>
          `<line x1="${r(w / 2 + (n - 7) * w * 0.02)}" y1="${r(h * 0.66)}" x2="${r(w / 2 + (n - 7) * w * 0.22)}" y2="${h}" stroke="${colors[2]}" stroke-width="1.6" opacity=".4"/>`,
      ),
      ...many(
        9,
        (n) =>
          `<line x1="${r(w * (0.04 + n * 0.115))}" y1="${r(h * 0.6)}" x2="${r(w * (0.04 + n * 0.115))}" y2="${r(h * 0.68)}" stroke="#1c0714" stroke-width="${r(s * 0.009)}"/>`,
      ),
      `<line x1="0" y1="${r(h * 0.625)}" x2="${w}" y2="${r(h * 0.625)}" stroke="#1c0714" stroke-width="${r(s * 0.004)}"/>`,
    ].join('');
  },
  gears: ({ w, h, colors, next }) =>
    many(7, () => {
      const x = next() * w;
      const y = next() * h * 0.85;
      const size = Math.min(w, h) * (0.08 + next() * 0.16);
      const teeth = many(
        16,
        (n) =>
          `<rect x="${r(-size * 0.07)}" y="${r(-size * 1.14)}" width="${r(size * 0.14)}" height="${r(size * 0.2)}" transform="rotate(${n * 22.5})"/>`,
      ).join('');
      return `<g transform="translate(${r(x)},${r(y)})" fill="${colors[1]}" opacity="${r(0.5 + next() * 0.4)}">${teeth}<circle r="${r(size)}"/><circle r="${r(size * 0.62)}" fill="${colors[0]}"/><circle r="${r(size * 0.2)}" fill="${colors[2]}"/></g>`;
    }).join(''),
  orchard: (box) => {
    const { w, h, colors, next } = box;
    const s = Math.min(w, h);
    return [
      ...many(26, () => {
        const x = next() * w;
        const y = h * (0.08 + next() * 0.66);
        const size = s * (0.04 + next() * 0.09);
        return `${circle(x, y, size, `fill="${next() > 0.5 ? colors[2] : colors[1]}" opacity=".28" stroke="${colors[3]}" stroke-width="1.6" stroke-opacity=".7"`)}${circle(x - size * 0.3, y - size * 0.35, size * 0.18, `fill="${colors[3]}" opacity=".7"`)}`;
      }),
      ridge(box, h * 0.86, h * 0.05, `fill="${colors[0]}" opacity=".85"`),
    ].join('');
  },
  harbour: (box) => {
    const { w, h, colors, next } = box;
    const lamps = many(
      18,
      (n) =>
        [
          (w * (n + 0.5)) / 18 + (next() - 0.5) * w * 0.03,
          h * (0.5 + (next() - 0.5) * 0.08),
          Math.min(w, h) * (0.006 + next() * 0.016),
        ] as const,
    );
    return [
      sky(box, 50),
      ridge(box, h * 0.5, h * 0.12, `fill="${colors[0]}" opacity=".9"`),
      `<rect x="0" y="${r(h * 0.57)}" width="${w}" height="${h}" fill="#0b1322"/>`,
      ...lamps.map(
        ([x, y, size]) =>
          `${circle(x, y, size * 2.6, `fill="${colors[2]}" opacity=".16"`)}${circle(x, y, size, `fill="${colors[2]}"`)}<rect x="${r(x - size * 0.5)}" y="${r(h * 0.58)}" width="${r(size)}" height="${r(h * (0.1 + next() * 0.26))}" fill="${colors[2]}" opacity=".22"/>`,
      ),
    ].join('');
  },
};

/** A picture of a film: the sky, its motif, and for a poster the shade behind its title. */
export function picture({
  look,
  title,
  w,
  h,
  isPoster,
}: {
  look: Look;
  title: string;
  w: number;
  h: number;
  isPoster: boolean;
}): string {
  const { colors, motif } = look;
  const defs = `<defs>
<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${colors[0]}"/><stop offset="1" stop-color="${colors[1]}"/></linearGradient>
<linearGradient id="beam" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="${colors[2]}" stop-opacity=".75"/><stop offset="1" stop-color="${colors[2]}" stop-opacity="0"/></linearGradient>
<linearGradient id="sun" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${colors[2]}"/><stop offset="1" stop-color="${colors[1]}"/></linearGradient>
<linearGradient id="shade" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".72"/></linearGradient>
</defs>`;
  const shade = isPoster
    ? `<rect x="0" y="${r(h * 0.62)}" width="${w}" height="${r(h * 0.38)}" fill="url(#shade)"/>`
    : '';
  return `${defs}<rect width="${w}" height="${h}" fill="url(#sky)"/>${DRAW[motif]({ w, h, colors, next: numbersOf(title) })}${shade}`;
}
