package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gatebook.events.fault.Malformed;
import java.io.ByteArrayOutputStream;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The headers before a body, byte by byte. After a fault it goes on to its end, looking only for
 * the length of what follows.
 */
final class FrameHeader {

  /** What a byte makes of the section. */
  enum Progress {
    GOING_ON,
    /** The line is no header, whatever comes. */
    NO_HEADER,
    TOO_LARGE,
    COMPLETE
  }

  private static final Pattern DIGITS = Pattern.compile("0*[0-9]{1,18}");
  private static final Pattern TOO_MANY_DIGITS = Pattern.compile("[0-9]{19,}");
  private static final byte DELETE = 0x7F;
  private static final String NAME_CHARACTERS = "!#$%&'*+-.^_`|~";

  private final int bytesMax;
  private final boolean isBehindBytes;
  private final ByteArrayOutputStream current = new ByteArrayOutputStream();
  private boolean inName = true;
  private boolean afterReturn;
  private boolean faulty;
  private long sizeBytes;
  private int line = 1;
  private int faultLine;
  private int lengths;
  private OptionalLong length = OptionalLong.empty();
  private @Nullable String type;
  private boolean typed;
  private boolean endsBare;

  /** A length right behind other bytes of its line; it counts where there is no other. */
  private FrameResync.@Nullable Header lengthBehind;

  /** How many bytes stand before it. */
  private long bytesBeforeLength;

  /** A type right behind other bytes of the first line. */
  private FrameResync.@Nullable Header typeBehind;

  /**
   * Begins with the next byte.
   *
   * @param isBehindBytes whether other bytes were right before, so that what is left of them may
   *     stand where a name begins
   */
  FrameHeader(int bytesMax, boolean isBehindBytes) {
    this.bytesMax = bytesMax;
    this.isBehindBytes = isBehindBytes;
  }

  /** Which line is read now, counted from 1. */
  int line() {
    return line;
  }

  /** The line that is no header. */
  int faultLine() {
    return faultLine;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  /** What there is of the line that is read now. */
  byte[] currentLine() {
    return current.toByteArray();
  }

  /** Empty when it is missing, is no number, or is there twice. */
  OptionalLong contentLength() {
    if (lengths > 1) {
      return OptionalLong.empty();
    }
    return isLengthBehind() ? number(Objects.requireNonNull(lengthBehind).value()) : length;
  }

  /** Whether the length is only taken for one because there is no other. */
  boolean isLengthBehind() {
    return length.isEmpty() && lengthBehind != null;
  }

  /** How many bytes stand before the first header and are no part of it. */
  long strayBytes() {
    if (isLengthBehind()) {
      return bytesBeforeLength;
    }
    return typeBehind == null ? 0 : typeBehind.at();
  }

  /** Whether a line end that is none stands where the empty line would. */
  boolean endsBare() {
    return endsBare;
  }

  @Nullable Malformed contentTypeFault() {
    String value = type == null && typeBehind != null ? typeBehind.value() : type;
    return value == null ? null : ContentType.fault(value);
  }

  Progress take(byte b) {
    sizeBytes++;
    if (current.size() <= bytesMax) {
      current.write(b);
    }
    boolean tooLarge = sizeBytes == bytesMax + 1L;
    faulty |= tooLarge;
    Progress progress = b == '\n' ? lineEnded() : within(b);
    return tooLarge && progress != Progress.COMPLETE ? Progress.TOO_LARGE : progress;
  }

  private Progress within(byte b) {
    boolean fits = !afterReturn && (inName ? fitsName(b) : fitsValue(b));
    afterReturn = b == '\r';
    return fits ? Progress.GOING_ON : noHeader();
  }

  private boolean fitsName(byte b) {
    if (current.size() == 1) {
      return b == '\r' || isNameCharacter(b);
    }
    inName = b != ':';
    return !inName || isNameCharacter(b);
  }

  /** Tabs, and whatever is printed; what a return means is seen at the byte after it. */
  private static boolean fitsValue(byte b) {
    return b < 0 || b == '\t' || b == '\r' || (b >= ' ' && b != DELETE);
  }

  static boolean isNameCharacter(byte b) {
    return (b >= '0' && b <= '9')
        || (b >= 'A' && b <= 'Z')
        || (b >= 'a' && b <= 'z')
        || NAME_CHARACTERS.indexOf(b) >= 0;
  }

  private Progress noHeader() {
    boolean known = faulty;
    faulty = true;
    faultLine = line;
    return known ? Progress.GOING_ON : Progress.NO_HEADER;
  }

  private Progress lineEnded() {
    boolean blank = current.size() == 2 && afterReturn;
    endsBare = current.size() == 1 && line > 1;
    if (endsBare || (blank && line > 1)) {
      return Progress.COMPLETE;
    }
    Progress progress =
        blank || !afterReturn || inName || !isHeader() ? noHeader() : Progress.GOING_ON;
    if (progress != Progress.NO_HEADER || line > 1) {
      nextLine();
    }
    return progress;
  }

  private void nextLine() {
    line++;
    current.reset();
    inName = true;
    afterReturn = false;
  }

  /** Takes in what the line says; false when it says a second time what can be said only once. */
  private boolean isHeader() {
    String text = current.toString(ISO_8859_1);
    FrameResync.atEndOf(text).filter(it -> !it.isFirstInLine()).ifPresent(this::standsBehind);
    int colon = text.indexOf(':');
    String value = text.substring(colon + 1).strip();
    return switch (text.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT)) {
      case "content-length" -> isOnlyLength(value);
      case "content-type" -> isOnlyType(value);
      default -> true;
    };
  }

  private void standsBehind(FrameResync.Header header) {
    if (header.isLength() && (isBehindBytes || !header.isBehindDash())) {
      lengthBehind = header;
      bytesBeforeLength = sizeBytes - header.sizeBytes();
    } else if (isBehindBytes && line == 1 && !header.isLength() && !header.isBehindDash()) {
      typeBehind = header;
    }
  }

  private boolean isOnlyLength(String value) {
    length = number(value);
    lengths++;
    return lengths == 1;
  }

  /** More digits than any number here has are more than any limit. */
  private static OptionalLong number(String value) {
    if (DIGITS.matcher(value).matches()) {
      return OptionalLong.of(Long.parseLong(value));
    }
    return TOO_MANY_DIGITS.matcher(value).matches()
        ? OptionalLong.of(Long.MAX_VALUE)
        : OptionalLong.empty();
  }

  private boolean isOnlyType(String value) {
    boolean first = !typed;
    typed = true;
    type = value;
    return first;
  }
}
