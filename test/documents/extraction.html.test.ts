import { expect, test } from 'vitest';
import { extractionStage } from './extraction-stage.ts';

const { read, failureOf } = extractionStage();

test('a web page: its visible text, with headings; no scripts, styles and comments', async () => {
  const page = `<!DOCTYPE html><html><head><title>A &amp; B</title><style>p{color:red}</style><script>var x = "<p>no</p>"</script></head>
    <body><!-- comment --><h1>Guide <em>one</em></h1><p>First   paragraph,<br>second
    line &lt;b&gt; &nbsp;end.</p><ul><li>one</li><li>two</li></ul><h2>Use</h2><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
    <pre>  kept
      as it is</pre><noscript>no</noscript><svg><text>no</text></svg><template>no</template></body></html>`;
  const { text, headings, title, mimeType } = await read(page, 'a.txt');
  expect(text).toBe(
    'Guide one\n\nFirst paragraph,\nsecond line <b> end.\n\n- one\n- two\n\nUse\n\na\tb\n1\t2\n\n  kept\n      as it is\n\n',
  );
  expect(headings).toEqual([
    { start: 0, level: 1, text: 'Guide one' },
    { start: text.indexOf('Use'), level: 2, text: 'Use' },
  ]);
  expect({ title, mimeType }).toEqual({ title: 'A & B', mimeType: 'text/html' });
});

test('markup that never ends is text', async () => {
  expect((await read(`<html><h1>${'never closed '.repeat(200)}`, 'a.html')).headings).toEqual([]);
  expect((await read('<html><p>one<p>two<b>three', 'a.html')).text).toBe('one\n\ntwothree\n\n');
  expect(await failureOf('<html><script>only a script', 'a.html')).toBe('EMPTY');
});
