package gatebook.api.casefile;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** Edits of a case file, by somebody without the key that signed it, and by the holder of it. */
public final class CaseEdits {
  private CaseEdits() {}

  public static SortedMap<String, byte[]> members(byte[] file) {
    return switch (CanonicalZip.read(file)) {
      case CanonicalZip.Reading.Read(var members) -> members;
      case CanonicalZip.Reading.Refused(var sentence) -> throw new AssertionError(sentence);
    };
  }

  /** An archive of these members in the order of the map, whatever their names are. */
  public static byte[] archive(SortedMap<String, byte[]> members) {
    return CanonicalZip.write(members);
  }

  /** A random edit, which changes at least one byte. */
  public static byte[] random(byte[] file, Random random) {
    byte[] edited = file;
    while (Arrays.equals(edited, file)) {
      edited =
          switch (random.nextInt(8)) {
            case 0 -> flipped(file, random);
            case 1 -> Arrays.copyOf(file, random.nextInt(file.length));
            case 2 -> Arrays.copyOf(file, file.length + 1 + random.nextInt(9));
            case 3 -> inserted(file, random);
            case 4 -> swappedMembers(file, random);
            default -> membersEdited(file, random);
          };
    }
    return edited;
  }

  private static byte[] flipped(byte[] file, Random random) {
    byte[] edited = file.clone();
    for (int i = random.nextInt(3); i >= 0; i--) {
      edited[random.nextInt(file.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return edited;
  }

  private static byte[] inserted(byte[] file, Random random) {
    int at = random.nextInt(file.length);
    byte[] edited = Arrays.copyOf(file, file.length + 1);
    System.arraycopy(file, at, edited, at + 1, file.length - at);
    edited[at] = (byte) random.nextInt();
    return edited;
  }

  /** The bytes of two members, with their headers, change places in the archive. */
  private static byte[] swappedMembers(byte[] file, Random random) {
    List<byte[]> parts = new ArrayList<>();
    int at = 0;
    for (var member : members(file).entrySet()) {
      int size = 30 + member.getKey().length() + member.getValue().length;
      parts.add(Arrays.copyOfRange(file, at, at + size));
      at += size;
    }
    int first = random.nextInt(parts.size());
    int second = random.nextInt(parts.size());
    byte[] part = parts.get(first);
    parts.set(first, parts.get(second));
    parts.set(second, part);
    byte[] edited = file.clone();
    int to = 0;
    for (byte[] each : parts) {
      System.arraycopy(each, 0, edited, to, each.length);
      to += each.length;
    }
    return edited;
  }

  /** An archive in the canonical form with other members. */
  private static byte[] membersEdited(byte[] file, Random random) {
    SortedMap<String, byte[]> members = members(file);
    List<String> names = List.copyOf(members.keySet());
    String name = names.get(random.nextInt(names.size()));
    String other = names.get(random.nextInt(names.size()));
    byte[] content = Objects.requireNonNull(members.get(name));
    switch (random.nextInt(6)) {
      case 0 -> members.remove(name);
      case 1 -> members.put(name + ".1", members.remove(name));
      case 2 -> members.put("events/0000000000000000009/payload", content);
      case 3 -> members.put(name, members.put(other, content));
      case 4 -> members.put(name, Arrays.copyOf(content, content.length + 1));
      default -> members.put(name, flipped(Arrays.copyOf(content, content.length + 1), random));
    }
    return CanonicalZip.write(members);
  }

  /**
   * The file with other members, and a manifest of them that is signed.
   *
   * @param sign the signed note of a text
   */
  public static byte[] signed(
      byte[] file, Consumer<SortedMap<String, byte[]>> edit, Function<String, byte[]> sign) {
    SortedMap<String, byte[]> members = new TreeMap<>(members(file));
    String note = new String(members.remove(CaseManifest.NAME), UTF_8);
    CaseManifest manifest =
        CaseManifest.read(note.substring(0, note.lastIndexOf("\n\n") + 1)).orElseThrow();
    edit.accept(members);
    String text =
        new CaseManifest(
                manifest.origin(),
                manifest.made(),
                manifest.subjects(),
                manifest.dropped(),
                CaseManifest.digests(members))
            .text();
    return CaseDraft.archive(members, sign.apply(text));
  }
}
