package gatebook.api.operator.methods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import gatebook.api.casefile.CaseEvent;
import gatebook.api.casefile.CaseRedaction;
import gatebook.api.operator.rpc.HiddenArguments;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.VisibleEvent;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.Named;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.tree.InclusionPath;
import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.EventKey;
import gatebook.events.keys.KeyLookup;
import gatebook.events.vocabulary.ContentState;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.events.vocabulary.OpenedPayload;
import gatebook.query.call.EventData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The disclosure of events in a case file: what of each this operator may have, and why the rest is
 * not shown.
 *
 * <p>The texts of rules need the role admin, as elsewhere. The key of an event opens all of its
 * content but originals, also what a workflow hides from approvers: where there is that, it needs
 * the role admin beside the role arguments, and so does the key of originals. An admin can back up
 * all keys anyway.
 */
final class CaseDisclosure {
  static final String RULES_ACTIVATED = Named.NAMESPACE + ".RulesActivated";

  private static final String APPROVAL_REQUESTED = Named.NAMESPACE + ".ApprovalRequested";
  private static final String ROLE_ARGUMENTS = "role-arguments";
  private static final String ROLE_ADMIN = "role-admin";
  private static final JsonMapper JSON = new JsonMapper();

  private final EventVocabulary eventVocabulary;
  private final ContentKeys contentKeys;
  private final HiddenArguments hiddenArguments;
  private final Operator operator;
  private final Map<String, String> workflows = new HashMap<>();
  private final List<CaseRedaction> redactions = new ArrayList<>();

  CaseDisclosure(
      EventVocabulary eventVocabulary,
      ContentKeys contentKeys,
      HiddenArguments hiddenArguments,
      Operator operator,
      List<Entry> entries) {
    this.eventVocabulary = eventVocabulary;
    this.contentKeys = contentKeys;
    this.hiddenArguments = hiddenArguments;
    this.operator = operator;
    for (Entry entry : entries) {
      if (entry.name().equals(APPROVAL_REQUESTED)) {
        JsonNode asked = json(entry);
        workflows.put(asked.path("callId").asText(), asked.path("workflow").asText());
      }
    }
  }

  /** The JSON of an event as it is stored; a missing node when it cannot be read. */
  static JsonNode json(Entry entry) {
    try {
      return JSON.readTree(entry.payload());
    } catch (IOException _) {
      return MissingNode.getInstance();
    }
  }

  List<CaseRedaction> redactions() {
    return redactions;
  }

  /** An event with what this operator may have of it. */
  CaseEvent disclose(Entry entry, byte[] envelope, InclusionPath path) {
    JsonNode stored = json(entry);
    String position = Long.toString(entry.position());
    Optional<String> withheld = withheld(entry, stored);
    if (withheld.isPresent()) {
      redactions.add(new CaseRedaction(CaseRedaction.PAYLOAD, position, withheld.get()));
      return new CaseEvent(entry, envelope, path, false, null, null, Optional.empty());
    }
    Optional<KeyLookup> lookup = EventVocabulary.contentKeyOf(entry).map(contentKeys::find);
    EventKey key =
        lookup
            .map(it -> disclosed(CaseRedaction.CONTENT, it, entry, opensMore(entry, stored)))
            .orElse(null);
    EventKey originalKey =
        lookup
            .filter(_ -> OpenedPayload.hasOriginalsApart(entry.payload()))
            .map(it -> disclosed(CaseRedaction.ORIGINAL, it, entry, true))
            .orElse(null);
    JsonNode shown = shown(entry, stored);
    return new CaseEvent(entry, envelope, path, true, key, originalKey, Optional.of(shown));
  }

  /** The key of a sealed part; null when it is not given, which is a redaction. */
  private @Nullable EventKey disclosed(
      String part, KeyLookup lookup, Entry entry, boolean needsAdmin) {
    EventKey key = lookup instanceof KeyLookup.Found(var found) ? key(part, found, entry) : null;
    String reason =
        switch (lookup) {
          case KeyLookup.Erased() -> ContentState.ERASED.word();
          case KeyLookup.Missing() -> ContentState.KEY_MISSING.word();
          case KeyLookup.Found _ when !operator.has(Role.ARGUMENTS) -> ROLE_ARGUMENTS;
          case KeyLookup.Found _ when needsAdmin && !operator.has(Role.ADMIN) -> ROLE_ADMIN;
          case KeyLookup.Found _ -> key == null ? ContentState.REFUSED.word() : "";
        };
    if (reason.isEmpty()) {
      return key;
    }
    redactions.add(new CaseRedaction(part, Long.toString(entry.position()), reason));
    return null;
  }

  /** The key of a sealed part; null when it does not open that. */
  private static @Nullable EventKey key(String part, ContentKey contentKey, Entry entry) {
    if (part.equals(CaseRedaction.ORIGINAL)) {
      EventKey key = contentKey.ofOriginals(entry.id());
      return OpenedPayload.opensOriginals(key, entry.id(), entry.name(), entry.payload())
          ? key
          : null;
    }
    EventKey key = contentKey.ofEvent(entry.id());
    OpenedPayload opened = OpenedPayload.with(key, entry.id(), entry.name(), entry.payload());
    return opened.contentState() == ContentState.OPENED ? key : null;
  }

  /** Why the payload is not given; empty when it is. */
  private Optional<String> withheld(Entry entry, JsonNode stored) {
    if (entry.name().equals(RULES_ACTIVATED)) {
      return operator.has(Role.ADMIN) ? Optional.empty() : Optional.of(ROLE_ADMIN);
    }
    boolean isPlain = EventVocabulary.contentKeyOf(entry).isEmpty();
    return operator.has(Role.ARGUMENTS) || !isPlain || !VisibleEvent.hasContents(stored)
        ? Optional.empty()
        : Optional.of(ROLE_ARGUMENTS);
  }

  /** Whether the key of an event's content opens more than operators are shown of the event. */
  private boolean opensMore(Entry entry, JsonNode stored) {
    JsonNode data = EventData.of(entry, eventVocabulary).json();
    JsonNode hidden = data.deepCopy();
    hiddenArguments.hide(hidden, () -> workflow(stored));
    boolean opensOriginals =
        hasOriginal(stored) && !OpenedPayload.hasOriginalsApart(entry.payload());
    return opensOriginals || !hidden.equals(data);
  }

  private static boolean hasOriginal(JsonNode node) {
    return node.propertyStream().anyMatch(it -> EventVocabulary.isPlaceOfOriginal(it.getKey()))
        || node.valueStream().anyMatch(CaseDisclosure::hasOriginal);
  }

  private Optional<String> workflow(JsonNode stored) {
    return Optional.ofNullable(workflows.get(stored.path("callId").asText()));
  }

  private JsonNode shown(Entry entry, JsonNode stored) {
    JsonNode data = EventData.of(entry, eventVocabulary).json();
    VisibleEvent.restrict(data, operator);
    hiddenArguments.hide(data, () -> workflow(stored));
    return data;
  }
}
