package gatebook.api.casefile;

import gatebook.events.journal.storage.NewerFormat;
import gatebook.events.journal.tree.Sha256;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The manifest of a case file, a text that is signed as a note: the log, what the file is about,
 * and digest, size and name of every other member.
 *
 * <p>No checkpoint begins like it, so that its signature is never that of one.
 *
 * @param made when, RFC 3339 in UTC
 * @param subjects the calls and the tree, each as its tag
 * @param dropped the time through which events were dropped for good; empty when none were
 * @param members digest and size by name
 */
record CaseManifest(
    String origin,
    String made,
    List<String> subjects,
    Optional<String> dropped,
    SequencedMap<String, String> members) {
  static final String NAME = "manifest";

  private static final int VERSION = 1;
  private static final String FORMAT_NAME = "gatebook case file ";
  private static final String FORMAT = FORMAT_NAME + VERSION;
  private static final Pattern ANY_FORMAT = Pattern.compile(FORMAT_NAME + "([1-9][0-9]{0,5})");
  private static final HexFormat HEX = HexFormat.of();
  private static final Pattern TIME = Pattern.compile("[0-9T:.Z-]{20,40}");
  private static final Pattern SUBJECT =
      Pattern.compile("(call|tree):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final Pattern MEMBER =
      Pattern.compile("([0-9a-f]{64} (?:0|[1-9][0-9]{0,9})) (" + CanonicalZip.NAME + ")");

  CaseManifest {
    subjects = List.copyOf(subjects);
  }

  /** The digests and sizes of these members. */
  static SequencedMap<String, String> digests(SortedMap<String, byte[]> members) {
    SequencedMap<String, String> digests = new LinkedHashMap<>();
    members.forEach((name, content) -> {
      if (!name.equals(NAME)) {
        digests.put(name, HEX.formatHex(Sha256.of(content)) + ' ' + content.length);
      }
    });
    return digests;
  }

  String text() {
    StringBuilder text = new StringBuilder(FORMAT + "\norigin " + origin + "\nmade " + made + '\n');
    subjects.forEach(subject -> text.append("subject ").append(subject).append('\n'));
    dropped.ifPresent(through -> text.append("dropped ").append(through).append('\n'));
    members.forEach((name, digest) -> text.append(digest).append(' ').append(name).append('\n'));
    return text.toString();
  }

  /** Why the file of this manifest cannot be read: a newer version wrote it. Else empty. */
  static Optional<String> newer(String text) {
    return text.lines()
        .findFirst()
        .map(ANY_FORMAT::matcher)
        .filter(Matcher::matches)
        .map(format -> Integer.parseInt(format.group(1)))
        .filter(found -> found > VERSION)
        .map(found -> NewerFormat.sentence("the case file", found, VERSION));
  }

  /** Reads the text of a manifest; empty when it is none, or not in this form. */
  static Optional<CaseManifest> read(String text) {
    String origin = "";
    String made = "";
    Optional<String> dropped = Optional.empty();
    List<String> subjects = new ArrayList<>();
    SequencedMap<String, String> members = new LinkedHashMap<>();
    for (String line : text.lines().skip(1).toList()) {
      Matcher member = MEMBER.matcher(line);
      if (member.matches()) {
        members.put(member.group(2), member.group(1));
        continue;
      }
      int space = line.indexOf(' ');
      String value = line.substring(space + 1);
      switch (line.substring(0, Math.max(space, 0))) {
        case "origin" -> origin = value;
        case "made" -> made = value;
        case "subject" -> subjects.add(value);
        case "dropped" -> dropped = Optional.of(value);
        default -> {
          return Optional.empty();
        }
      }
    }
    return Optional.of(new CaseManifest(origin, made, subjects, dropped, members))
        .filter(it -> it.isValid() && it.text().equals(text));
  }

  private boolean isValid() {
    return TIME.matcher(made).matches()
        && dropped.stream().allMatch(it -> TIME.matcher(it).matches())
        && !subjects.isEmpty()
        && subjects.stream().allMatch(it -> SUBJECT.matcher(it).matches());
  }
}
