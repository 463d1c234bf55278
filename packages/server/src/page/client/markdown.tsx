import { useEffect, useRef } from "preact/hooks";
import { default_renderer, HREF, parser, parser_end, parser_write, SRC } from "streaming-markdown";

interface Written {
  readonly parser: ReturnType<typeof parser>;
  text: string;
}

/** An untrusted Markdown text that may still grow. Creates elements and text nodes alone; images are links, and links lead to web addresses. */
export function Markdown({ text, isComplete }: { readonly text: string; readonly isComplete: boolean }) {
  const root = useRef<HTMLDivElement>(null);
  const written = useRef<Written | undefined>(undefined);
  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    let { current } = written;
    if (current === undefined || !text.startsWith(current.text)) {
      element.replaceChildren();
      current = { parser: parser(safeRenderer(element)), text: "" };
      written.current = current;
    }
    parser_write(current.parser, text.slice(current.text.length));
    current.text = text;
    if (isComplete) {
      parser_end(current.parser);
      written.current = undefined;
    }
  }, [text, isComplete]);
  return <div class="markdown" dir="auto" ref={root} />;
}

type Renderer = ReturnType<typeof default_renderer>;

function safeRenderer(root: HTMLElement): Renderer {
  const renderer = default_renderer(root);
  return {
    ...renderer,
    set_attr: (data, name, value) => {
      if (name === SRC) return;
      if (name !== HREF) return renderer.set_attr(data, name, value);
      if (!isWebAddress(value)) return;
      renderer.set_attr(data, name, value);
      const link = data.nodes[data.index];
      link?.setAttribute("rel", "noopener noreferrer");
      link?.setAttribute("target", "_blank");
    },
  };
}

/** Whether a link may lead there: not to a script, a file or a part of this server. */
const isWebAddress = (address: string): boolean => /^(https?:\/\/|mailto:)/i.test(address.trim());
