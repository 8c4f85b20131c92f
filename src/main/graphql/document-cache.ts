/**
 * Parsed documents by their text, the oldest dropped first. Bounded by the text that they hold, since a tree takes up to some
 * 250 bytes for each character of it.
 *
 * @param charactersMax Of all texts together.
 */
export function createDocumentCache<Document extends object>(charactersMax: number) {
  const documents = new Map<string, Document>();
  let characters = 0;

  const drop = (text: string) => {
    if (documents.delete(text)) characters -= text.length;
  };

  return {
    get(text: string): Document | undefined {
      const document = documents.get(text);
      // Asked for last is dropped last.
      if (document && documents.delete(text)) documents.set(text, document);
      return document;
    },
    set(text: string, document: Document): void {
      drop(text);
      documents.set(text, document);
      characters += text.length;
      for (const oldest of documents.keys()) {
        if (characters <= charactersMax) return;
        drop(oldest);
      }
    },
  };
}
