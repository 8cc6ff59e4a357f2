// The worker in which the tail is read: shared by all pages of a browser where it can be.

import {SharedTail} from './shared-tail.js';

const tail = new SharedTail();
if ('SharedWorkerGlobalScope' in self) {
  self.onconnect = ({ports: [port]}) => tail.attach(port);
} else {
  tail.attach(self);
}
