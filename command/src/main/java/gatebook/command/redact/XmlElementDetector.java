package gatebook.command.redact;

import gatebook.command.redact.SecretNames.Secrecy;

/** Detects the content of XML and HTML elements whose name or key says that it is secret. */
final class XmlElementDetector implements Detector {

  private static final int TAG_MAX = 512;
  private static final String ENTITY = "&lt;";

  private final SecretNames names;

  XmlElementDetector(SecretNames names) {
    this.names = names;
  }

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '<') {
        at = findInElement(text, at + 1, "<", ">", scrubFindings) - 1;
      } else if (c == '&' && text.startsWith(ENTITY, at)) {
        at = findInElement(text, at + ENTITY.length(), ENTITY, "&gt;", scrubFindings) - 1;
      }
    }
  }

  /** The index at which to continue. */
  private int findInElement(
      String text, int name, String opens, String closes, ScrubFindings scrubFindings) {
    int nameEnd = nameEnd(text, name);
    int limit = Math.min(text.length(), nameEnd + TAG_MAX);
    int close = nameEnd == name ? -1 : text.indexOf(closes, nameEnd, limit);
    if (close < 0) {
      return Math.max(name, nameEnd);
    }
    if (isSecret(text, name, nameEnd) || isKeySecret(text, nameEnd, close)) {
      findValueAttribute(text, nameEnd, close, scrubFindings);
      if (!text.startsWith("/", close - 1)) {
        return findContent(text, close + closes.length(), opens, scrubFindings);
      }
    }
    return nameEnd;
  }

  /** The end of the content; a placeholder like {@code <password>} has none. */
  private static int findContent(String text, int from, String opens, ScrubFindings scrubFindings) {
    int end = text.indexOf(opens, contentFrom(text, from, opens));
    boolean closed = end >= 0 && text.startsWith("/", end + opens.length());
    boolean cut = end < 0 && CharClasses.seek(text, from, CharClasses.SPACE) == text.length();
    if (closed || cut) {
      int to = cut ? text.length() : end;
      if (CharClasses.skip(text, from, to, CharClasses.SPACE) < to) {
        scrubFindings.add(from, to, SecretKind.NAMED);
      }
      return to;
    }
    return from;
  }

  /** The index after a CDATA section, whose text may contain brackets. */
  private static int contentFrom(String text, int from, String opens) {
    int start = CharClasses.skip(text, from, CharClasses.SPACE);
    if (!text.startsWith(opens + "![CDATA[", start)) {
      return from;
    }
    int end = text.indexOf("]]", start);
    return end < 0 ? text.length() : end;
  }

  private static int nameEnd(String text, int from) {
    int limit = Math.min(text.length(), from + SecretNames.LENGTH_MAX);
    return CharClasses.skip(text, from, limit, CharClasses.XML_NAME);
  }

  private boolean isSecret(String text, int from, int end) {
    return from < end && names.of(text.substring(from, end)) != Secrecy.NONE;
  }

  /** Whether a key is secret, as in {@code <entry key="db.password">}. */
  private boolean isKeySecret(String text, int from, int close) {
    for (String key : new String[] {"name=", "key=", "id="}) {
      int at = text.indexOf(key, from, close);
      if (at > from && CharClasses.isAt(text, at - 1, CharClasses.SPACE)) {
        int start = at + key.length() + 1;
        int end = start < close ? nameEnd(text, start) : start;
        if (start < close && isSecret(text, start, Math.min(end, close))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Finds the value of {@code <property name="password" value="…"/>}. */
  private static void findValueAttribute(
      String text, int from, int close, ScrubFindings scrubFindings) {
    int at = text.indexOf("value=", from, close);
    if (at > from && CharClasses.isAt(text, at - 1, CharClasses.SPACE)) {
      ValueExtent valueExtent = ValueExtent.of(text, at + "value=".length());
      if (valueExtent != null) {
        scrubFindings.add(valueExtent.start(), valueExtent.end(), SecretKind.NAMED);
      }
    }
  }
}
