package gatebook.api.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A raw text without lone surrogates, from which slices can be cut as they were written. */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost as much as the body
record RawText(char[] chars, int length) {

  static RawText of(String text) {
    return new RawText(text.toCharArray(), text.length());
  }

  String slice(long from, long to) {
    return new String(chars, (int) from, (int) (to - from));
  }

  /** Whether a blank, a comma or a closing brace or bracket is there. */
  boolean isSeparator(long index) {
    return index < length && " \t\r\n,}]".indexOf(chars[(int) index]) >= 0;
  }

  /** The number of UTF-8 bytes before a character. */
  long bytesBefore(long index) {
    return slice(0, Math.min(index, length)).getBytes(UTF_8).length;
  }
}
