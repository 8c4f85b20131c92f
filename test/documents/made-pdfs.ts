import { deflateSync } from 'node:zlib';

/** A PDF of these objects, from number 1; the first is the catalogue. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const pieces = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let offset = (pieces[0] as Buffer).length;
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(offset);
    const body = typeof object === 'string' ? Buffer.from(object, 'latin1') : object;
    const piece = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    pieces.push(piece);
    offset += piece.length;
  }
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  pieces.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${offset}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(pieces);
}

export function stream(content: string | Buffer, filters: readonly string[] = []): Buffer {
  const filter = filters.length > 0 ? `/Filter [${filters.map((name) => `/${name}`).join(' ')}] ` : '';
  return Buffer.concat([
    Buffer.from(`<< ${filter}/Length ${content.length} >>\nstream\n`),
    Buffer.from(content as string),
    Buffer.from('\nendstream'),
  ]);
}

/** A PDF of pages, each of lines; an empty line leaves a gap. */
export function pdf(
  pages: readonly (readonly string[])[],
  options: { title?: string; extra?: readonly (string | Buffer)[]; trailer?: string } = {},
): Buffer {
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${5 + index * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Title (${options.title ?? ''}) >>`,
  ];
  for (const [index, lines] of pages.entries()) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${6 + index * 2} 0 R >>`,
    );
    const shown = lines.map((line, at) => (line === '' ? '' : `1 0 0 1 50 ${800 - at * 14} Tm (${line}) Tj`));
    objects.push(stream(deflateSync(`BT /F1 12 Tf ${shown.join('\n')} ET`), ['FlateDecode']));
  }
  return pdfOf([...objects, ...(options.extra ?? [])], `/Info 4 0 R ${options.trailer ?? ''}`);
}
