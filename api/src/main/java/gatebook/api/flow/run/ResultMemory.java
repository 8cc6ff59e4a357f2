package gatebook.api.flow.run;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that all running trees share for results; it is counted in characters. */
final class ResultMemory {
  /** At most 64 MiB. */
  static final long CHARS_MAX = 32L << 20;

  private final AtomicLong charsLeft;

  ResultMemory(long charsMax) {
    this.charsLeft = new AtomicLong(charsMax);
  }

  /** Takes memory for a result; false when there is not so much left. */
  boolean take(int chars) {
    return charsLeft.getAndUpdate(left -> left < chars ? left : left - chars) >= chars;
  }

  void release(long chars) {
    charsLeft.addAndGet(chars);
  }

  long charsLeft() {
    return charsLeft.get();
  }
}
