import {replace} from './dom.js';
import {page} from './ui.js';

export const title = 'tree';

export async function show(main) {
  replace(main, page('tree'));
}
