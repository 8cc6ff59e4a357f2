package gatebook.events.journal.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.storage.Entry;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * The work of one append: one to three events, whose payloads say which append they belong to, and
 * their index and count.
 */
record Work(String append, List<DraftEvent> drafts) {
  private static final int EVENTS_MAX = 3;
  private static final double FILL_BYTES_MIN = 50;
  private static final double FILL_BYTES_MAX = 4_096;
  private static final int LARGE_BYTES = 200_000;
  private static final int ONE_LARGE_IN = 500;

  static Work random(RandomGenerator random, Tag caller) {
    String append = new UUID(random.nextLong(), random.nextLong()).toString();
    int count = 1 + random.nextInt(EVENTS_MAX);
    List<DraftEvent> drafts = new ArrayList<>();
    for (int index = 1; index <= count; index++) {
      drafts.add(draft(append + "/" + index + "/" + count + "/", random, caller));
    }
    return new Work(append, List.copyOf(drafts));
  }

  private static DraftEvent draft(String head, RandomGenerator random, Tag caller) {
    byte[] headBytes = head.getBytes(UTF_8);
    byte[] fill = new byte[fillBytes(random)];
    random.nextBytes(fill);
    byte[] payload = Arrays.copyOf(headBytes, headBytes.length + fill.length);
    System.arraycopy(fill, 0, payload, headBytes.length, fill.length);
    return DraftEvent.of(
        UUID.randomUUID().toString(),
        "crash.Happened",
        "1",
        Instant.now(),
        Set.of(caller),
        payload,
        "{}".getBytes(UTF_8));
  }

  /** As many small payloads as large ones between the bounds, and rarely a very large one. */
  private static int fillBytes(RandomGenerator random) {
    return random.nextInt(ONE_LARGE_IN) == 0
        ? LARGE_BYTES
        : (int) (FILL_BYTES_MIN * Math.pow(FILL_BYTES_MAX / FILL_BYTES_MIN, random.nextDouble()));
  }

  List<String> digests() {
    return drafts.stream()
        .map(draftEvent ->
            digest(
                draftEvent.id(),
                draftEvent.name(),
                draftEvent.version(),
                draftEvent.at(),
                draftEvent.tagsText(),
                draftEvent.payload(),
                draftEvent.metadata()))
        .toList();
  }

  /** The digest of everything that a caller gave, equal for the draft and for its row. */
  static String digest(Entry entry) {
    return digest(
        entry.id(),
        entry.name(),
        entry.version(),
        entry.at(),
        entry.tags(),
        entry.payload(),
        entry.metadata());
  }

  private static String digest(
      String id,
      String name,
      String version,
      String at,
      String tags,
      byte[] payload,
      byte[] metadata) {
    MessageDigest digest = sha256();
    digest.update(String.join("\0", id, name, version, at, tags, "").getBytes(UTF_8));
    digest.update(payload);
    digest.update(metadata);
    return HexFormat.of().formatHex(digest.digest(), 0, 16);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
