package gatebook.api.stdio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gatebook.api.rpc.ContentType;
import gatebook.events.fault.Malformed;
import java.io.ByteArrayOutputStream;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the header section of a frame, byte by byte. After a fault it goes on to the end of the
 * section, and reads only the length of the body.
 */
final class FrameHeader {

  /** The state of the section after a byte. */
  enum Progress {
    GOING_ON,
    /** The line cannot become a header. */
    NO_HEADER,
    /** The line is cut short, and the header of another frame is the rest of it. */
    CUT_SHORT,
    TOO_LARGE,
    COMPLETE
  }

  private static final ContentType.Accepted ACCEPTED =
      new ContentType.Accepted(Set.of("application/vscode-jsonrpc"), Set.of("utf-8"));

  private static final Pattern DIGITS = Pattern.compile("0*[0-9]{1,18}");
  private static final Pattern TOO_MANY_DIGITS = Pattern.compile("[0-9]{19,}");
  private static final byte DELETE = 0x7F;
  private static final String NAME_CHARACTERS = "!#$%&'*+-.^_`|~";

  private final int bytesMax;
  private final boolean followsOtherBytes;
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
  private boolean hasType;
  private boolean endsWithBareLf;

  /** A length right after other bytes of its line; used when there is no other. */
  private FrameResync.@Nullable Header trailingLength;

  /** How many bytes precede {@link #trailingLength}. */
  private long bytesBeforeLength;

  /** A content type right after other bytes of the first line. */
  private FrameResync.@Nullable Header trailingType;

  /** The header of another frame in the value of a header of this one. */
  private FrameResync.@Nullable Header nextFrame;

  /**
   * Starts with the next byte.
   *
   * @param followsOtherBytes whether other bytes came right before, so that some of them may
   *     precede the first name
   */
  FrameHeader(int bytesMax, boolean followsOtherBytes) {
    this.bytesMax = bytesMax;
    this.followsOtherBytes = followsOtherBytes;
  }

  /** The number of the current line, from 1. */
  int line() {
    return line;
  }

  /** The number of the line that is no header. */
  int faultLine() {
    return faultLine;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  /** The bytes of the current line so far. */
  byte[] currentLine() {
    return current.toByteArray();
  }

  /** Empty when it is missing, no number, or present twice. */
  OptionalLong contentLength() {
    if (lengths > 1) {
      return OptionalLong.empty();
    }
    return isLengthTrailing() ? number(Objects.requireNonNull(trailingLength).value()) : length;
  }

  /** Whether the length follows other bytes of its line, and is used because there is no other. */
  boolean isLengthTrailing() {
    return length.isEmpty() && trailingLength != null;
  }

  /** How many bytes precede the first header and are no part of it. */
  long strayBytes() {
    if (isLengthTrailing()) {
      return bytesBeforeLength;
    }
    return trailingType == null ? 0 : trailingType.at();
  }

  /** Whether the section ends with a bare line feed instead of an empty line. */
  boolean endsWithBareLf() {
    return endsWithBareLf;
  }

  /** The first line of the frame that follows after {@link Progress#CUT_SHORT}. */
  byte[] nextFrame() {
    return Objects.requireNonNull(nextFrame, "the line is not cut short").ownBytes();
  }

  @Nullable Malformed contentTypeFault() {
    String value = type == null && trailingType != null ? trailingType.value() : type;
    return value == null ? null : ContentType.fault(value, ACCEPTED);
  }

  Progress take(byte b) {
    sizeBytes++;
    if (current.size() <= bytesMax) {
      current.write(b);
    }
    boolean tooLarge = sizeBytes == bytesMax + 1L;
    faulty |= tooLarge;
    Progress progress = b == '\n' ? lineEnded() : inLine(b);
    return tooLarge && progress != Progress.COMPLETE ? Progress.TOO_LARGE : progress;
  }

  private Progress inLine(byte b) {
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

  /** Tabs and printable bytes; the byte after a carriage return decides what that means. */
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
    endsWithBareLf = current.size() == 1 && line > 1;
    if (endsWithBareLf || (blank && line > 1)) {
      return Progress.COMPLETE;
    }
    Progress progress =
        blank || !afterReturn || inName || !acceptHeader() ? noHeader() : Progress.GOING_ON;
    if (nextFrame != null) {
      return Progress.CUT_SHORT;
    }
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

  /** Reads the line; false for a second header of a name that may occur once. */
  private boolean acceptHeader() {
    String text = current.toString(ISO_8859_1);
    Optional<FrameResync.Header> trailing =
        FrameResync.atEndOf(text).filter(it -> !it.isFirstInLine());
    int colon = text.indexOf(':');
    String name = text.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
    String value = text.substring(colon + 1).strip();
    boolean isLength = name.equals("content-length");
    if (!isLength && !name.equals("content-type")) {
      trailing.ifPresent(this::acceptTrailing);
      return true;
    }
    nextFrame = trailing.orElse(null); // neither value contains a header
    return isLength ? acceptLength(value) : acceptType(value);
  }

  private void acceptTrailing(FrameResync.Header header) {
    if (header.isLength() && (followsOtherBytes || !header.followsDash())) {
      trailingLength = header;
      bytesBeforeLength = sizeBytes - header.sizeBytes();
    } else if (followsOtherBytes && line == 1 && !header.isLength() && !header.followsDash()) {
      trailingType = header;
    }
  }

  private boolean acceptLength(String value) {
    length = number(value);
    lengths++;
    return lengths == 1;
  }

  /** A number with too many digits exceeds every limit. */
  private static OptionalLong number(String value) {
    if (DIGITS.matcher(value).matches()) {
      return OptionalLong.of(Long.parseLong(value));
    }
    return TOO_MANY_DIGITS.matcher(value).matches()
        ? OptionalLong.of(Long.MAX_VALUE)
        : OptionalLong.empty();
  }

  private boolean acceptType(String value) {
    boolean first = !hasType;
    hasType = true;
    type = value;
    return first;
  }
}
