import {replace} from './dom.js';
import {page} from './ui.js';

export const title = 'call';

export async function show(main) {
  replace(main, page('call'));
}
