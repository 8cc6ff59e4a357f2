package gatebook.api.operator.methods;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.casefile.CaseEvent;
import gatebook.api.casefile.CaseRedaction;
import gatebook.api.operator.rpc.HiddenArguments;
import gatebook.api.operator.rpc.Operator;
import gatebook.command.rules.Credential;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.Named;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Bytes;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.tree.InclusionPath;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CaseDisclosureTest {
  private static final String NAME = Named.NAMESPACE + ".CallReceived";
  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final String OLD = "an-old-event";
  private static final String END = "\"}}";

  private final MemoryContentKeys contentKeys = new MemoryContentKeys();
  private final EventVocabulary eventVocabulary = new EventVocabulary(contentKeys, OldKeys.NONE);
  private final Entry entry = received();

  @Test
  void keyOfAnOriginalNeedsTheRoleAdmin() {
    CaseEvent withArguments =
        disclosed(entry, notShown(CaseRedaction.ORIGINAL), Role.VIEW, Role.ARGUMENTS);
    assertThat(withArguments.key()).isNotNull();
    assertThat(withArguments.originalKey()).isNull();

    CaseEvent whole = disclosed(entry, List.of(), Role.VIEW, Role.ARGUMENTS, Role.ADMIN);
    assertThat(whole.key()).isNotNull();
    assertThat(whole.originalKey()).isNotNull();
  }

  /** Before originals had a key of their own, that of the event opened them, too. */
  @Test
  void keyOfAnOldOriginalNeedsTheRoleAdmin() {
    Entry old = inOneText(entry);

    assertThat(disclosed(old, notShown(CaseRedaction.CONTENT), Role.VIEW, Role.ARGUMENTS).key())
        .isNull();
    CaseEvent whole = disclosed(old, List.of(), Role.VIEW, Role.ARGUMENTS, Role.ADMIN);
    assertThat(whole.key()).isNotNull();
    assertThat(whole.originalKey()).isNull();
  }

  private static List<CaseRedaction> notShown(String part) {
    return List.of(new CaseRedaction(part, "1", "role-admin"));
  }

  private CaseEvent disclosed(Entry event, List<CaseRedaction> redactions, Role... roles) {
    CaseDisclosure disclosure =
        new CaseDisclosure(
            eventVocabulary,
            contentKeys,
            new HiddenArguments(Optional.empty()),
            new Operator("ada", Set.of(roles), new Credential.Token(Bytes.of(new byte[32]))),
            List.of(event));
    CaseEvent disclosed =
        disclosure.disclose(event, new byte[0], new InclusionPath(0, 1, List.of()));
    assertThat(disclosure.redactions()).isEqualTo(redactions);
    return disclosed;
  }

  private Entry received() {
    Instant at = Instant.parse("2026-01-02T03:04:05Z");
    DraftEvent draft =
        eventVocabulary.draft(ReceivedCall.of(CALL, at).with(null, "the message").event(), at);
    return entry(draft.id(), draft.payload());
  }

  private static Entry entry(String id, byte[] payload) {
    return new Entry(1, id, NAME, "2", "", "node", "", payload, new byte[0], new byte[0], null);
  }

  /** An event with the same content, as it was stored when one text had content and originals. */
  private Entry inOneText(Entry apart) {
    String json = new String(apart.payload(), UTF_8);
    ContentKey key =
        ((KeyLookup.Found) contentKeys.find(EventVocabulary.contentKeyOf(apart).orElseThrow()))
            .key();
    byte[] content =
        key.ofEvent(apart.id()).open(bound(apart.id()), sealed(json, "\"content\":\"", "\",\""));
    byte[] originals =
        key.ofOriginals(apart.id()).open(bound(apart.id()), sealed(json, "\"originals\":\"", END));
    String text = text(content) + text(originals);
    byte[] inOne = MemoryContentKeys.sealed(key.ofEvent(OLD), bound(OLD), text.getBytes(UTF_8));
    String begin = json.substring(0, json.indexOf("\"content\":\""));
    String payload = begin + "\"content\":\"" + Base64.getEncoder().encodeToString(inOne) + END;
    return entry(OLD, payload.getBytes(UTF_8));
  }

  private static byte[] sealed(String json, String before, String after) {
    int start = json.indexOf(before) + before.length();
    return Base64.getDecoder().decode(json.substring(start, json.indexOf(after, start)));
  }

  private static String text(byte @Nullable [] opened) {
    return new String(Objects.requireNonNull(opened), UTF_8);
  }

  private static byte[] bound(String id) {
    return (id + ' ' + NAME).getBytes(UTF_8);
  }
}
