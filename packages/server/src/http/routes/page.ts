import type { Route } from "../route.ts";

export const PAGE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/",
    summary: "Open the web page, which asks for the token",
    isOpen: true,
    isPage: true,
    answers: { 200: { description: "the page", type: "text/html" } },
    async answer({ services }) {
      const { html, policy } = await services.page();
      return new Response(html, {
        headers: {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": policy,
          // A page that led here cannot lead elsewhere from here.
          "cross-origin-opener-policy": "same-origin",
        },
      });
    },
  },
];
