package gatebook.events.journal.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A C2SP signed note: a text, a blank line, and a line for each signature of the text.
 *
 * <p>Reading is strict and never throws: the result for any bytes is a value.
 */
public final class SignedNote {
  static final int NOTE_BYTES_MAX = 256 * 1024;
  static final int SIGNATURES_MAX = 100;

  private static final String DASH = "\u2014 ";
  private static final int ID_BYTES = Integer.BYTES;

  private SignedNote() {}

  /** Finds the known key that a signature line names. */
  @FunctionalInterface
  private interface KnownKeys {
    Optional<VerifierKey> find(Line line);
  }

  /** Signs a text, which ends with a line feed; one line for each key, in this order. */
  public static byte[] sign(String text, CheckpointKey... keys) {
    StringBuilder note = new StringBuilder(text).append('\n');
    for (CheckpointKey key : keys) {
      note.append(line(key.verifier(), key.sign(text.getBytes(UTF_8))));
    }
    return note.toString().getBytes(UTF_8);
  }

  /** The line of a signature, with its line feed. */
  static String line(VerifierKey by, byte[] signature) {
    byte[] blob =
        ByteBuffer.allocate(ID_BYTES + signature.length).putInt(by.id()).put(signature).array();
    return new Line(by.name(), blob).text();
  }

  /**
   * A text and the signatures by known keys.
   *
   * @param signatures their lines, one for each key; each ends with a line feed
   */
  record SignedText(String text, String signatures) {}

  /**
   * Reads a signed text; {@code Valid} only when one of these keys signed it, under whatever name:
   * the result has the key under the name with which it signed.
   */
  public static OpenedNote<String> open(byte[] note, Collection<VerifierKey> known) {
    return open(note, known, NOTE_BYTES_MAX);
  }

  /** The same with another limit for a text that is no checkpoint. */
  public static OpenedNote<String> open(
      byte[] note, Collection<VerifierKey> known, int noteBytesMax) {
    return open(
            note,
            line -> known.stream().flatMap(it -> line.named(it).stream()).findFirst(),
            noteBytesMax)
        .flatMap((signed, key) -> new OpenedNote.Valid<>(signed.text(), key));
  }

  /** Reads a signed text; {@code Valid} only when one of these keys signed it under its name. */
  static OpenedNote<SignedText> openExactly(byte[] note, Collection<VerifierKey> known) {
    return open(note, line -> known.stream().filter(line::isBy).findFirst(), NOTE_BYTES_MAX);
  }

  private static OpenedNote<SignedText> open(byte[] note, KnownKeys known, int noteBytesMax) {
    if (note.length > noteBytesMax) {
      return new OpenedNote.Malformed<>(1, "the note is longer than " + noteBytesMax + " bytes");
    }
    return utf8(note)
        .map(text -> open(text, known))
        .orElseGet(() -> new OpenedNote.Malformed<>(1, "the note is not UTF-8"));
  }

  /** The label of the key in the last signature line; empty where there is no such line. */
  static Optional<String> lastSigner(byte[] note) {
    return lastLine(note).map(Line::label);
  }

  /** Whether the last signature line names this key; the signature itself is not checked. */
  static boolean endsWith(byte[] note, VerifierKey key) {
    return lastLine(note).flatMap(line -> line.named(key)).isPresent();
  }

  private static Optional<Line> lastLine(byte[] note) {
    return utf8(note)
        .map(String::stripTrailing)
        .flatMap(text -> line(text.substring(text.lastIndexOf('\n') + 1)));
  }

  private static OpenedNote<SignedText> open(String note, KnownKeys known) {
    int control = firstControl(note);
    if (control >= 0) {
      return malformed(note, control, "there is a control character");
    }
    int blank = note.lastIndexOf("\n\n");
    if (blank < 0) {
      return malformed(note, note.length(), "no blank line stands between text and signatures");
    }
    if (!note.endsWith("\n") || blank + 2 == note.length()) {
      return malformed(note, note.length(), "the note does not end with a signature line");
    }
    return parse(note, blank, known);
  }

  private static OpenedNote<SignedText> parse(String note, int blank, KnownKeys known) {
    String text = note.substring(0, blank + 1);
    List<Line> signatures = new ArrayList<>();
    for (int at = blank + 2; at < note.length(); at = note.indexOf('\n', at) + 1) {
      Optional<Line> line = line(note.substring(at, note.indexOf('\n', at)));
      if (line.isEmpty()) {
        return malformed(note, at, "this is not a signature line");
      }
      if (signatures.size() == SIGNATURES_MAX) {
        return malformed(note, at, "there are more than " + SIGNATURES_MAX + " signatures");
      }
      signatures.add(line.get());
    }
    return verify(text, signatures, known);
  }

  private static OpenedNote<SignedText> verify(
      String text, List<Line> signatures, KnownKeys known) {
    byte[] signed = text.getBytes(UTF_8);
    Map<VerifierKey, Line> verified = new LinkedHashMap<>();
    for (Line line : signatures) {
      Optional<VerifierKey> key = known.find(line);
      if (key.isPresent()) {
        if (!key.get().verifies(signed, line.signature())) {
          return new OpenedNote.WrongSignature<>(key.get().label());
        }
        verified.putIfAbsent(key.get(), line);
      }
    }
    String lines = verified.values().stream().map(Line::text).collect(joining());
    return verified.isEmpty()
        ? new OpenedNote.UnknownKey<>(signatures.stream().map(Line::label).toList())
        : new OpenedNote.Valid<>(new SignedText(text, lines), verified.keySet().iterator().next());
  }

  private static Optional<Line> line(String line) {
    int space = line.indexOf(' ', DASH.length());
    if (!line.startsWith(DASH) || space < 0) {
      return Optional.empty();
    }
    String name = line.substring(DASH.length(), space);
    return StrictBase64.decode(line.substring(space + 1))
        .filter(blob -> blob.length > ID_BYTES && CheckpointKeyName.isValid(name))
        .map(blob -> new Line(name, blob));
  }

  private static Optional<String> utf8(byte[] bytes) {
    try {
      return Optional.of(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException _) {
      return Optional.empty();
    }
  }

  private static int firstControl(String note) {
    for (int i = 0; i < note.length(); i++) {
      if (note.charAt(i) < ' ' && note.charAt(i) != '\n') {
        return i;
      }
    }
    return -1;
  }

  private static OpenedNote<SignedText> malformed(String note, int at, String why) {
    long line = 1 + note.chars().limit(at).filter(c -> c == '\n').count();
    return new OpenedNote.Malformed<>((int) line, why);
  }

  @SuppressWarnings("ArrayRecordComponent") // lives only while a note is read; never compared
  private record Line(String name, byte[] blob) {
    int id() {
      return ByteBuffer.wrap(blob).getInt();
    }

    byte[] signature() {
      return Arrays.copyOfRange(blob, ID_BYTES, blob.length);
    }

    /** The key under the name in this line, when the line is of that key. */
    Optional<VerifierKey> named(VerifierKey key) {
      return Optional.of(key.named(name)).filter(it -> it.id() == id());
    }

    /** Whether the line is of this key under its own name. */
    boolean isBy(VerifierKey key) {
      return key.name().equals(name) && key.id() == id();
    }

    String label() {
      return VerifierKey.label(name, id());
    }

    String text() {
      return DASH + name + " " + StrictBase64.encode(blob) + "\n";
    }
  }
}
