/** Documentation in HTML as plain text, for editors that show no HTML. */

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  deg: '°',
  le: '≤',
  ge: '≥',
  ne: '≠',
  rarr: '→',
  larr: '←',
  minus: '−',
  times: '×',
  middot: '·',
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  epsilon: 'ε',
  eta: 'η',
  lambda: 'λ',
  mu: 'μ',
  nu: 'ν',
  omega: 'ω',
  phi: 'φ',
  pi: 'π',
  psi: 'ψ',
  rho: 'ρ',
  sigma: 'σ',
  tau: 'τ',
  theta: 'θ',
  Delta: 'Δ',
  Omega: 'Ω',
  Phi: 'Φ',
  Sigma: 'Σ',
};

/** The words of an HTML text, with line breaks where its blocks end. */
export function htmlToText(html: string): string {
  const text = html
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\s+/g, ' ')
    .replace(/<li\b[^>]*>/gi, '\n- ')
    .replace(/<(?:br|\/?(?:p|div|h\d|ul|ol|tr|table|pre|blockquote|dl|dt|dd))\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name: string) => {
      const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined;
      if (code !== undefined) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
      return entities[name] ?? whole;
    });
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
