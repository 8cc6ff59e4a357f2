package gatebook.api.node.casefile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.casefile.CaseEdits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** An archive that is made to harm a program which reads it, from a case file. */
enum HostileArchive {
  OF_NO_BYTES(_ -> new byte[0]),
  WITHOUT_MEMBERS(_ -> CaseEdits.archive(new TreeMap<>())),
  BOMB(_ -> bomb()),
  SIZE_OF_ALL_ONES(file -> withSize(file, -1)),
  SIZE_OF_2_TO_31(file -> withSize(file, Integer.MIN_VALUE)),
  SIZE_BELOW_2_TO_31(file -> withSize(file, Integer.MAX_VALUE)),
  SIZE_OF_THE_ARCHIVE(file -> withSize(file, file.length)),
  OVERLAPPING_MEMBERS(HostileArchive::overlapping),
  DIRECTORY_BEYOND_THE_END(file -> putInt(file, file.length - 6, -1)),
  COUNT_OF_65535(file -> putInt(file, file.length - 14, -1)),
  MEMBERS_65535(_ -> members(65_535)),
  MEMBERS_200000(_ -> members(200_000)),
  NAME_OF_65535(_ -> CaseEdits.archive(named("a".repeat(65_535)))),
  NAME_BEYOND_THE_END(file -> putInt(file, 26, 0xffff)),
  DUPLICATE_NAME(file -> ordered(file, (_, _) -> 1, "README.txt")),
  OTHER_ORDER(file -> ordered(file, Comparator.reverseOrder(), "more")),
  NAME_OF_THE_PARENT(file -> with(file, "../more")),
  NAME_OF_THE_ROOT(file -> with(file, "/etc/more")),
  NAME_WITH_BACKSLASHES(file -> with(file, "..\\more")),
  NAME_WITH_A_NUL(file -> with(file, "more\0")),
  NAME_IN_UTF_8(file -> text(text(with(file, "ABCDE")).replace("ABCDE", "A\u00c3\u00a9DE"))),
  FLAG_OF_UTF_8(file -> withFlags(file, 1 << 11)),
  FLAG_OF_ENCRYPTION(file -> withFlags(file, 1)),
  FLAG_OF_SIZES_BEHIND(file -> withFlags(file, 1 << 3)),
  SOMETHING_BEFORE(file -> text("#!/bin/sh\n" + text(file))),
  SOMETHING_BEHIND(file -> text(text(file) + "\n")),
  COMMENT(file -> text(text(putInt(file, file.length - 4, 0x10000)) + "\n"));

  private static final int HEADER_BYTES = 30;
  private static final int MEMBER = 0x04034b50;

  @SuppressWarnings("ImmutableEnumChecker") // the functions keep no state
  private final UnaryOperator<byte[]> edit;

  HostileArchive(UnaryOperator<byte[]> edit) {
    this.edit = edit;
  }

  byte[] from(byte[] file) {
    return edit.apply(file);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  private static byte[] text(String bytes) {
    return bytes.getBytes(ISO_8859_1);
  }

  private static byte[] putInt(byte[] file, int at, int number) {
    byte[] edited = file.clone();
    ByteBuffer.wrap(edited).order(ByteOrder.LITTLE_ENDIAN).putInt(at, number);
    return edited;
  }

  /** The first member has this size. */
  private static byte[] withSize(byte[] file, int size) {
    return putInt(putInt(file, 18, size), 22, size);
  }

  /** Both headers of the first member have these flags. */
  private static byte[] withFlags(byte[] file, int flags) {
    int directory = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 6);
    byte[] edited = file.clone();
    for (int at : new int[] {6, directory + 8}) {
      edited[at] |= (byte) flags;
      edited[at + 1] |= (byte) (flags >> Byte.SIZE);
    }
    return edited;
  }

  /** The first member ends where the second does. */
  private static byte[] overlapping(byte[] file) {
    ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int first = HEADER_BYTES + buffer.getShort(26) + buffer.getInt(18);
    int second = HEADER_BYTES + buffer.getShort(first + 26) + buffer.getInt(first + 18);
    return withSize(file, buffer.getInt(18) + second);
  }

  private static byte[] members(int count) {
    ByteBuffer members =
        ByteBuffer.allocate(count * (HEADER_BYTES + 6)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      int at = members.position();
      members.putInt(at, MEMBER).putShort(at + 26, (short) 6);
      members.position(at + HEADER_BYTES).put("%06x".formatted(i).getBytes(UTF_8));
    }
    return members.array();
  }

  private static SortedMap<String, byte[]> named(String name) {
    return new TreeMap<>(Map.of(name, new byte[0]));
  }

  private static byte[] with(byte[] file, String name) {
    SortedMap<String, byte[]> members = new TreeMap<>(CaseEdits.members(file));
    members.put(name, new byte[0]);
    return CaseEdits.archive(members);
  }

  private static byte[] ordered(byte[] file, Comparator<String> order, String more) {
    SortedMap<String, byte[]> members = new TreeMap<>(order);
    members.put(more, new byte[0]);
    members.putAll(CaseEdits.members(file));
    return CaseEdits.archive(members);
  }

  /** So many zeros take the thousandth part. */
  private static byte[] bomb() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("manifest"));
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < 64; i++) {
        zip.write(zeros);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
