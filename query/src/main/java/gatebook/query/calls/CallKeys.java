package gatebook.query.calls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;

import gatebook.events.journal.tree.Sha256;
import gatebook.events.vocabulary.TreeTaskTag;
import gatebook.query.terms.TermIndex;
import gatebook.query.terms.TermSearch;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The keys under which calls are found by their ids. A call's own id is found by a term of its own.
 *
 * <p>An id that is a number of 16 bytes may be copied in upper case or without its dashes. Other
 * ids are opaque texts, in which every character counts.
 */
public final class CallKeys {
  private static final int TERM_BYTES = 16;

  /** Has the positions at which the calls with a key began. */
  public static final TermIndex INDEX = new TermIndex("call_keys", TERM_BYTES, 1);

  /** Begins the key of an id that a call is about. */
  private static final String ABOUT = "~";

  private static final HexFormat HEX = HexFormat.of();
  private static final Pattern SIXTEEN_BYTES = Pattern.compile("[0-9a-f]{32}");

  private final Set<String> keys = new LinkedHashSet<>();

  /** The key of the call's own id, which has a term of its own. */
  private final @Nullable String ownKey;

  private CallKeys(@Nullable String own) {
    this.ownKey = own;
  }

  /** The keys of a call besides its own id. */
  static CallKeys forCall(UUID call) {
    return new CallKeys(number(call.getMostSignificantBits(), call.getLeastSignificantBits()));
  }

  private static String number(long high, long low) {
    return "#" + HEX.toHexDigits(high) + HEX.toHexDigits(low);
  }

  /** The keys to search for when nothing is known about an id. */
  static Set<String> forSearch(String id) {
    String pasted = id.strip();
    return new CallKeys(null).addText(pasted).addNumber(pasted).keys;
  }

  /**
   * Adds the key of a text. A search for a text also searches for the number it may be, so a text
   * whose number is a key already is not added.
   */
  CallKeys addText(@Nullable String id) {
    if (id != null && !isPresent("#" + digits(id))) {
      keys.add("=" + id);
    }
    return this;
  }

  /** Adds the keys of ids that the call is about, and which are those of other calls. */
  CallKeys addAbout(@Nullable List<String> ids) {
    if (ids != null) {
      ids.forEach(id -> keys.add(ABOUT + "=" + id));
    }
    return this;
  }

  /** Adds the key of the task that the call runs. */
  CallKeys addTask(String principal, @Nullable String taskId) {
    if (taskId != null) {
      keys.add(task(principal, taskId));
    }
    return this;
  }

  /** The key of a task: it never equals that of a text that a caller chose. */
  static String task(String principal, String taskId) {
    return "@" + TreeTaskTag.value(principal, taskId);
  }

  CallKeys addNumber(@Nullable String id) {
    if (id != null && isNumber(id) && !isPresent("#" + digits(id))) {
      keys.add("#" + digits(id));
    }
    return this;
  }

  private boolean isPresent(String number) {
    return number.equals(ownKey) || keys.contains(number);
  }

  private static boolean isNumber(String id) {
    return SIXTEEN_BYTES.matcher(digits(id)).matches();
  }

  private static String digits(String id) {
    return id.replace("-", "").toLowerCase(Locale.ROOT);
  }

  Set<String> keys() {
    return keys;
  }

  /** The term of a key in the index. Two keys with the same one cannot be found. */
  static byte[] term(String key) {
    return Arrays.copyOf(Sha256.of(key.getBytes(UTF_8)), TERM_BYTES);
  }

  /**
   * The term of a call's own id: the id itself. The same id as the trace of another call is hashed,
   * so that the other call does not hide this one.
   */
  static byte[] term(UUID call) {
    return ByteBuffer.allocate(TERM_BYTES)
        .putLong(call.getMostSignificantBits())
        .putLong(call.getLeastSignificantBits())
        .array();
  }

  /**
   * The newest calls with any of these keys, newest first, and then the newest that are about them:
   * many calls may ask for one task, and the call that made it is found all the same. All
   * statements of the connection must be as of one moment.
   */
  static List<UUID> find(Connection view, Set<String> keys, int limit) throws SQLException {
    Set<UUID> found = new LinkedHashSet<>(newest(view, keys, limit));
    Set<String> about = keys.stream().map(key -> ABOUT + key).collect(toSet());
    found.addAll(newest(view, about, limit));
    return found.stream().limit(limit).toList();
  }

  /** Call ids are ordered by time. */
  private static List<UUID> newest(Connection view, Set<String> keys, int limit)
      throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT call FROM calls WHERE position = ANY(?) ORDER BY call DESC LIMIT ?")) {
      select.setArray(
          1, view.createArrayOf("BIGINT", positions(view, terms(keys), limit).toArray()));
      select.setInt(2, limit);
      List<UUID> calls = new ArrayList<>();
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          calls.add(row.getObject(1, UUID.class));
        }
      }
      return calls;
    }
  }

  /**
   * The positions at which calls with any of these terms began, of each term the highest ones.
   *
   * @param limit the most positions of a term
   */
  static Set<Long> positions(Connection view, List<byte[]> terms, int limit) throws SQLException {
    Set<Long> positions = new HashSet<>();
    try (TermSearch search = new TermSearch(view, INDEX)) {
      for (byte[] term : terms) {
        positions.addAll(search.places(term, Long.MAX_VALUE, limit));
      }
    }
    return positions;
  }

  /** The terms of keys, and of the call whose own id is among them. */
  static List<byte[]> terms(Set<String> keys) {
    return Stream.concat(keys.stream().map(CallKeys::term), call(keys).stream().map(CallKeys::term))
        .toList();
  }

  /** The call whose own id is among the keys. */
  private static Optional<UUID> call(Set<String> keys) {
    return keys.stream()
        .filter(key -> key.startsWith("#"))
        .map(key ->
            new UUID(
                HexFormat.fromHexDigitsToLong(key, 1, 17),
                HexFormat.fromHexDigitsToLong(key, 17, 33)))
        .findFirst();
  }
}
