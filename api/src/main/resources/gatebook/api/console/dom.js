// Builds elements. Every text becomes a text node, so nothing that is shown is ever read as markup.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Creates an element.
 *
 * Props: `class`, `on…` listeners, `style` as an object of CSS properties, and anything else as a
 * property or an attribute; null, undefined and false are left out. Children: texts, numbers, nodes
 * and arrays of them; null, undefined and false are left out.
 */
export function h(tag, props, ...children) {
  return filled(document.createElement(tag), props, children);
}

/** Creates an SVG element, in the same way. */
export function s(tag, props, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value !== null && value !== undefined && value !== false) {
      set(element, name, value);
    }
  }
  append(element, children);
  return element;
}

function set(element, name, value) {
  if (name.startsWith('on') && typeof value === 'function') {
    element.addEventListener(name.slice(2).toLowerCase(), value);
  } else if (name === 'style') {
    for (const [property, text] of Object.entries(value)) {
      element.style.setProperty(property, text);
    }
  } else if (name === 'class') {
    element.setAttribute('class', value);
  } else if (isProperty(element, name)) {
    element[name] = value;
  } else {
    element.setAttribute(name, name === 'href' ? ownAddress(value) : value === true ? '' : value);
  }
}

function isProperty(element, name) {
  return element.namespaceURI !== SVG
    && ['value', 'checked', 'selected', 'disabled', 'hidden', 'open', 'htmlFor', 'textContent',
      'indeterminate', 'readOnly', 'required', 'tabIndex', 'type'].includes(name);
}

/** Links lead to pages of this console only, whatever is recorded. */
function ownAddress(href) {
  const text = String(href);
  if (!/^(\/(?![/\\])|#|blob:)/.test(text)) {
    throw new TypeError('a link leads to a page of this console');
  }
  return text;
}

/** Appends children as `h` does. */
export function append(element, ...children) {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(element, ...child);
    } else if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
  return element;
}

/** Removes all children. */
export function clear(element) {
  element.replaceChildren();
  return element;
}

/**
 * Replaces all children. What has the focus below the element keeps it when the new children have
 * the same thing: the same id, `data-key` or address.
 */
export function replace(element, ...children) {
  const restore = keptFocus(element);
  clear(element);
  append(element, ...children);
  restore();
  return element;
}

/**
 * Remembers what has the focus below an element. Returns a function that gives it back to the same
 * thing, unless the focus has gone elsewhere.
 */
export function keptFocus(element) {
  const active = document.activeElement;
  if (!active || active === element || !element.contains(active)) {
    return () => {};
  }
  const key = keyOf(active);
  const range = selectionOf(active);
  return () => {
    const isLost = !document.activeElement || document.activeElement === document.body;
    const same = isLost && key ? find(element, key) : null;
    if (same) {
      same.focus({preventScroll: true});
      if (range && same.setSelectionRange) {
        same.setSelectionRange(...range);
      }
    }
  };
}

function keyOf(element) {
  for (const attribute of ['id', 'data-key', 'href']) {
    if (element.getAttribute(attribute)) {
      return [attribute, element.getAttribute(attribute)];
    }
  }
  return null;
}

function find(element, [attribute, value]) {
  return element.querySelector(`[${attribute}="${CSS.escape(value)}"]`);
}

function selectionOf(element) {
  try {
    return typeof element.selectionStart === 'number'
      ? [element.selectionStart, element.selectionEnd]
      : null;
  } catch {
    return null;
  }
}
