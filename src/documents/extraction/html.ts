import { Parser } from 'htmlparser2';
import type { Extraction, ExtractionLimits } from './extracted.ts';
import { decoded } from './text.ts';
import { TextBuilder } from './text-builder.ts';

/** Elements that are not shown as text. */
const silent = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'select',
  'head',
]);
/** What begins and ends a line; the second set leaves an empty line. */
const lines = new Set(['li', 'tr', 'dt', 'dd', 'option', 'caption', 'figcaption', 'summary']);
const blocks = new Set(
  'address article aside blockquote body details div dl fieldset figure footer form header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
);
const headingMax = 1_000;

/** A web page: the text that it shows, with its headings. Scripts, styles and comments are dropped; nothing is loaded or run. */
export function readHtml(bytes: Buffer, limits: ExtractionLimits): Extraction {
  const builder = new TextBuilder(limits);
  let [line, title, silence, verbatim] = ['', '', 0, 0];
  let [inTitle, heading] = [false, 0];

  const flush = (breaks: 0 | 1 | 2) => {
    if (heading > 0 && line.length <= headingMax) builder.appendHeading(heading, line);
    else if (line.trim() !== '') builder.append(line.trimEnd());
    line = '';
    heading = 0;
    if (breaks > 0) builder.breakLines(breaks as 1 | 2);
  };
  const breaksOf = (name: string): 0 | 1 | 2 => (blocks.has(name) ? 2 : lines.has(name) ? 1 : 0);

  const parser = new Parser({
    onopentag(name) {
      if (name === 'title') inTitle = silence <= 1;
      if (silent.has(name)) silence += 1;
      if (silence > 0) return;
      const breaks = breaksOf(name);
      const level = levelOf(name);
      if (level > 0) {
        flush(2);
        heading = level;
      } else if (breaks > 0 && heading === 0) flush(breaks);
      if (name === 'pre' || name === 'textarea') verbatim += 1;
      else if (name === 'br') line += '\n';
      else if (name === 'li') line += '- ';
      else if ((name === 'td' || name === 'th') && line.trim() !== '') line = `${line.trimEnd()}\t`;
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false;
      if (silent.has(name)) silence = Math.max(0, silence - 1);
      if (silence > 0) return;
      const breaks = breaksOf(name);
      if (levelOf(name) > 0) flush(2);
      else if (breaks > 0 && heading === 0) flush(breaks);
      if (name === 'pre' || name === 'textarea') verbatim = Math.max(0, verbatim - 1);
    },
    ontext(data) {
      if (inTitle) title += title.length < headingMax ? data : '';
      if (silence > 0 || inTitle) return;
      const text = verbatim > 0 ? data : data.replace(/\s+/g, ' ');
      line += /(^|[\s])$/.test(line.slice(-1)) && verbatim === 0 ? text.trimStart() : text;
      if (heading > 0 && line.length > headingMax) heading = 0;
    },
  });
  parser.write(decoded(bytes, limits));
  parser.end();
  flush(0);
  builder.setTitle(title);
  return builder.finish('text/html');
}

const levelOf = (name: string): number => (/^h[1-6]$/.test(name) ? Number(name.slice(1)) : 0);
