import { render } from "preact";
import { useState } from "preact/hooks";
import { App } from "./app.tsx";

const KEY = "mdx-ai-token";

/** The token of the address, which does not stay there, or the one of an earlier visit in this tab. */
function firstToken(): string {
  const given = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (given === undefined) return sessionStorage.getItem(KEY) ?? "";
  history.replaceState(undefined, "", location.pathname);
  sessionStorage.setItem(KEY, decodeURIComponent(given));
  return decodeURIComponent(given);
}

function Page() {
  const [token, setToken] = useState(firstToken);
  if (token !== "") return <App token={token} forget={() => setToken("")} />;
  return (
    <main class="start">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const given = String(new FormData(event.currentTarget).get("token") ?? "").trim();
          sessionStorage.setItem(KEY, given);
          setToken(given);
        }}
      >
        <h1>mdx-ai</h1>
        <label>
          The token that <code>mdx-ai serve</code> showed
          <input name="token" type="password" autocomplete="off" required />
        </label>
        <button type="submit">Open</button>
      </form>
    </main>
  );
}

const root = document.getElementById("root");
if (root !== null) render(<Page />, root);
