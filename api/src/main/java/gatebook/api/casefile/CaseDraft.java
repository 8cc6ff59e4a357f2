package gatebook.api.casefile;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.checkpoint.TlogProof;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.witness.WitnessPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A draft of a case file: all that it shows, before its manifest is signed.
 *
 * @param subjects the calls and the tree that it is about, each as its tag
 * @param note the checkpoint that all proofs lead to
 * @param key that signed the checkpoint
 * @param events by ascending position
 * @param witnesses the policy whose quorum cosigned the checkpoint; empty when none did
 * @param dropped the time through which events were dropped for good; empty when none were
 * @param timestamp of the checkpoint, by an authority; empty when none is there
 * @param rotations of the key before the checkpoint, by ascending position
 */
public record CaseDraft(
    List<String> subjects,
    String note,
    VerifierKey key,
    List<CaseEvent> events,
    List<CaseRedaction> redactions,
    Optional<Instant> dropped,
    Optional<byte[]> timestamp,
    List<CaseRotation> rotations,
    Optional<WitnessPolicy> witnesses,
    Instant made) {

  static final String CHECKPOINT = "checkpoint";
  static final String TIMESTAMP = "timestamp";
  static final String POLICY = "policy";
  static final String REDACTIONS = "redactions";
  static final String PAGE = "page.html";
  static final String README = "README.txt";
  static final String ENVELOPE = "envelope";
  static final String PAYLOAD = "payload";
  static final String METADATA = "metadata";
  static final String PROOF = "proof.tlog-proof";
  static final String KEY = "key";
  static final String ORIGINAL_KEY = "original-key";

  public CaseDraft {
    subjects = List.copyOf(subjects);
    events = List.copyOf(events);
    redactions = List.copyOf(redactions);
    rotations = List.copyOf(rotations);
  }

  /** The name of the log, under which its key signs. */
  public String origin() {
    return note.lines().findFirst().orElseThrow();
  }

  private String policy(VerifierKey log) {
    return witnesses
        .map(it -> it.published(log))
        .orElseGet(() -> "log " + log.text() + "\nquorum none\n");
  }

  /** The members of the archive, but for the manifest. */
  public SortedMap<String, byte[]> members() {
    SortedMap<String, byte[]> members = new TreeMap<>();
    members.put(README, readme());
    members.put(PAGE, CasePage.of(this).getBytes(UTF_8));
    members.put(CHECKPOINT, note.getBytes(UTF_8));
    members.put(POLICY, policy(key.named(origin())).getBytes(UTF_8));
    members.put(
        REDACTIONS,
        redactions.stream().map(CaseRedaction::line).collect(Collectors.joining()).getBytes(UTF_8));
    timestamp.ifPresent(token -> members.put(TIMESTAMP, token));
    for (CaseRotation rotation : rotations) {
      String folder = CaseRotation.folder(rotation.position());
      members.put(folder + CHECKPOINT, rotation.note().getBytes(UTF_8));
      members.put(folder + ENVELOPE, rotation.envelope());
      members.put(folder + PAYLOAD, rotation.payload());
      members.put(folder + PROOF, TlogProof.of(rotation.path(), rotation.note()).bytes());
    }
    for (CaseEvent event : events) {
      String folder = CaseEvent.folder(event.entry().position());
      members.put(folder + ENVELOPE, event.envelope());
      members.put(folder + METADATA, event.entry().metadata());
      members.put(folder + PROOF, TlogProof.of(event.path(), note).bytes());
      if (event.showsPayload()) {
        members.put(folder + PAYLOAD, event.entry().payload());
      }
      if (event.key() != null) {
        members.put(folder + KEY, event.key().bytes());
      }
      if (event.originalKey() != null) {
        members.put(folder + ORIGINAL_KEY, event.originalKey().bytes());
      }
    }
    return members;
  }

  /** The text of the manifest of these members. */
  public String manifest(SortedMap<String, byte[]> members) {
    return new CaseManifest(
            origin(),
            made.toString(),
            subjects,
            dropped.map(Instant::toString),
            CaseManifest.digests(members))
        .text();
  }

  /** The archive of these members and a signed manifest. */
  public static byte[] archive(SortedMap<String, byte[]> members, byte[] manifest) {
    SortedMap<String, byte[]> all = new TreeMap<>(members);
    all.put(CaseManifest.NAME, manifest);
    return CanonicalZip.write(all);
  }

  private static byte[] readme() {
    try (InputStream text =
        Objects.requireNonNull(CaseDraft.class.getResourceAsStream("README.txt"))) {
      return text.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
