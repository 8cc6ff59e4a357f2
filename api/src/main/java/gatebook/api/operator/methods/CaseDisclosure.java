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
 * content, also an original, and what a workflow hides from approvers: where there is either, it
 * needs the role admin beside the role arguments. An admin can back up all keys anyway.
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

  /** The JSON of an event as it is stored; a missing node when it is none. */
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
      return new CaseEvent(entry, envelope, path, false, null, Optional.empty());
    }
    EventKey key = null;
    Optional<String> contentKey = EventVocabulary.contentKeyOf(entry);
    if (contentKey.isPresent()) {
      KeyLookup lookup = contentKeys.find(contentKey.get());
      key = lookup instanceof KeyLookup.Found(var found) ? found.ofEvent(entry.id()) : null;
      Optional<String> reason = closed(lookup, key, entry, stored);
      if (reason.isPresent()) {
        redactions.add(new CaseRedaction(CaseRedaction.CONTENT, position, reason.get()));
        key = null;
      }
    }
    return new CaseEvent(entry, envelope, path, true, key, Optional.of(shown(entry, stored)));
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

  /** Why the key of sealed content is not given; empty when it is. */
  private Optional<String> closed(
      KeyLookup lookup, @Nullable EventKey key, Entry entry, JsonNode stored) {
    return switch (lookup) {
      case KeyLookup.Erased() -> Optional.of(ContentState.ERASED.word());
      case KeyLookup.Missing() -> Optional.of(ContentState.KEY_MISSING.word());
      case KeyLookup.Found _ when !operator.has(Role.ARGUMENTS) -> Optional.of(ROLE_ARGUMENTS);
      case KeyLookup.Found _ when !operator.has(Role.ADMIN) && opensMore(entry, stored) ->
          Optional.of(ROLE_ADMIN);
      case KeyLookup.Found _ -> key == null ? Optional.empty() : refused(key, entry);
    };
  }

  private static Optional<String> refused(EventKey key, Entry entry) {
    return OpenedPayload.with(key, entry.id(), entry.name(), entry.payload()).contentState()
            == ContentState.OPENED
        ? Optional.empty()
        : Optional.of(ContentState.REFUSED.word());
  }

  /** Whether the key opens more than operators are shown of the event. */
  private boolean opensMore(Entry entry, JsonNode stored) {
    JsonNode data = EventData.of(entry, eventVocabulary).json();
    JsonNode hidden = data.deepCopy();
    hiddenArguments.hide(hidden, () -> workflow(stored));
    return hasOriginal(stored) || !hidden.equals(data);
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
