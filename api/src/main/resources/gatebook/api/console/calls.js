import {replace} from './dom.js';
import {page} from './ui.js';

export const title = 'calls';

export async function show(main) {
  replace(main, page('calls'));
}
