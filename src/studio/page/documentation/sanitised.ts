/**
 * The script that makes elements of HTML that somebody else has written: nothing of it runs, nothing of it is loaded from anywhere, and it has no styles. It is loaded when documentation is looked at first.
 */
import DOMPurify from 'dompurify';

function sanitised(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: [
      ...['style', 'form', 'input', 'button', 'select', 'textarea', 'option', 'dialog', 'details'],
      ...['audio', 'video', 'source', 'track', 'picture', 'map', 'area'],
    ],
    FORBID_ATTR: ['style', 'srcset', 'background', 'poster', 'ping', 'target', 'tabindex', 'class', 'name'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|modelica:|#)/i,
    RETURN_DOM_FRAGMENT: true,
  });
  return fragment;
}

// Before anything is part of a page: an address would be asked for at once.
DOMPurify.addHook('afterSanitizeAttributes', (element) => {
  if (element.nodeName !== 'IMG') return;
  const address = element.getAttribute('src') ?? '';
  element.removeAttribute('src');
  element.setAttribute('data-address', address);
});

declare global {
  /** What `documentation.js` leaves in a page. */
  var mutaborSanitised: typeof sanitised | undefined;
}

globalThis.mutaborSanitised = sanitised;
