package gatebook.api.casefile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A ZIP archive in its one canonical form: the same members always give the same bytes. They are
 * stored, sorted by name, at one fixed time, without extra fields and comments.
 *
 * <p>A reader writes what it read again and compares, so that no byte of an archive can be changed
 * without changing a member.
 */
final class CanonicalZip {
  static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}(/[A-Za-z0-9][A-Za-z0-9._-]{0,99}){0,9}");

  private static final int LOCAL = 0x04034b50;
  private static final int LOCAL_BYTES = 30;
  private static final int CENTRAL = 0x02014b50;
  private static final int CENTRAL_BYTES = 46;
  private static final int END = 0x06054b50;
  private static final int END_BYTES = 22;
  private static final int MEMBERS_MAX = 0xfffe;
  private static final short VERSION = 10;

  /** The first day that the format knows: 1980-01-01. */
  private static final short DAY = 0x21;

  private CanonicalZip() {}

  /** The result of reading an archive. */
  sealed interface Reading {
    record Read(SortedMap<String, byte[]> members) implements Reading {}

    /** It is no archive in the canonical form; the sentence says why. */
    record Refused(String sentence) implements Reading {}
  }

  static byte[] write(SortedMap<String, byte[]> members) {
    if (members.size() > MEMBERS_MAX) {
      throw new IllegalArgumentException(
          "an archive has at most %d members".formatted(MEMBERS_MAX));
    }
    long bytes = END_BYTES;
    for (var member : members.entrySet()) {
      int name = member.getKey().length();
      bytes += LOCAL_BYTES + CENTRAL_BYTES + 2L * name + member.getValue().length;
    }
    ByteBuffer archive = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer central =
        ByteBuffer.allocate(
                members.keySet().stream().mapToInt(it -> CENTRAL_BYTES + it.length()).sum())
            .order(ByteOrder.LITTLE_ENDIAN);
    members.forEach((name, content) -> {
      central.putInt(CENTRAL).putShort(VERSION);
      putCommon(central, name, content);
      central.putShort((short) 0).putShort((short) 0).putShort((short) 0).putInt(0);
      central.putInt(archive.position()).put(name.getBytes(US_ASCII));
      archive.putInt(LOCAL);
      putCommon(archive, name, content);
      archive.put(name.getBytes(US_ASCII)).put(content);
    });
    int start = archive.position();
    short count = (short) members.size();
    return archive
        .put(central.flip())
        .putInt(END)
        .putInt(0)
        .putShort(count)
        .putShort(count)
        .putInt(central.limit())
        .putInt(start)
        .putShort((short) 0)
        .array();
  }

  /** What the header before a member and its entry in the directory have in common. */
  private static void putCommon(ByteBuffer header, String name, byte[] content) {
    CRC32 crc = new CRC32();
    crc.update(content);
    header.putShort(VERSION).putShort((short) 0).putShort((short) 0);
    header.putShort((short) 0).putShort(DAY).putInt((int) crc.getValue());
    header.putInt(content.length).putInt(content.length);
    header.putShort((short) name.length()).putShort((short) 0);
  }

  /** Reads an archive of any bytes. */
  static Reading read(byte[] file) {
    SortedMap<String, byte[]> members = new TreeMap<>();
    ByteBuffer archive = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    try {
      while (archive.getInt(archive.position()) == LOCAL) {
        int at = archive.position();
        int size = archive.getInt(at + 18);
        int nameLength = Short.toUnsignedInt(archive.getShort(at + 26));
        if (size < 0 || size > file.length) {
          return new Reading.Refused("a member is larger than the archive");
        }
        if (members.size() == MEMBERS_MAX) {
          return new Reading.Refused("the archive has more than %d members".formatted(MEMBERS_MAX));
        }
        byte[] name = new byte[nameLength];
        byte[] content = new byte[size];
        archive.position(at + LOCAL_BYTES).get(name).get(content);
        String text = new String(name, ISO_8859_1);
        if (!NAME.matcher(text).matches()) {
          return new Reading.Refused("a member has a name that no case file has");
        }
        if (!members.isEmpty() && members.lastKey().compareTo(text) >= 0) {
          return new Reading.Refused("members are not sorted, or one occurs twice: " + text);
        }
        members.put(text, content);
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException _) {
      return new Reading.Refused("it is no archive, or cut");
    }
    return Arrays.equals(write(members), file)
        ? new Reading.Read(members)
        : new Reading.Refused("the archive is not written in the one form of case files");
  }
}
