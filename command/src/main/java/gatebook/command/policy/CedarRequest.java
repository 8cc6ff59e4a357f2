package gatebook.command.policy;

import com.cedarpolicy.model.AuthorizationRequest;
import com.cedarpolicy.model.entity.Entity;
import com.cedarpolicy.value.CedarMap;
import com.cedarpolicy.value.EntityTypeName;
import com.cedarpolicy.value.EntityUID;
import com.cedarpolicy.value.PrimLong;
import com.cedarpolicy.value.PrimString;
import com.cedarpolicy.value.Value;
import gatebook.command.policy.CedarJson.UnusableInput;
import gatebook.command.policy.check.QuestionParts;
import gatebook.command.policy.check.QuestionParts.Owner;
import gatebook.events.call.Principal;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The Cedar request and entities for a question, with ThoughtGate's entity types. They have only
 * what the policies may read: the engine needs most of its time for reading them.
 */
record CedarRequest(AuthorizationRequest request, Set<Entity> entities) {

  /** The attribute of the context that says when the call is. */
  static final String TIME = "time";

  private static final EntityTypeName APP = type("ThoughtGate::App");
  private static final EntityTypeName ROLE = type("ThoughtGate::Role");
  private static final EntityTypeName TOOL_CALL = type("ThoughtGate::ToolCall");
  private static final EntityTypeName MCP_METHOD = type("ThoughtGate::McpMethod");
  private static final EntityUID CALL_TOOL = type("ThoughtGate::Action").of("tools/call");
  private static final EntityUID USE_METHOD = type("ThoughtGate::Action").of("mcp/method");

  /** Attributes that every principal has, so that policies need no {@code has} for them. */
  private static final Set<String> DEFAULT_ATTRIBUTES = Set.of("namespace", "service_account");

  private static final int DAYS_PER_WEEK = 7;

  static CedarRequest of(PolicyQuestion policyQuestion, QuestionParts parts) throws UnusableInput {
    Set<Entity> entities = new HashSet<>();
    Entity principal = principal(policyQuestion.principal(), parts, entities);
    Entity resource =
        policyQuestion.tool() ? tool(policyQuestion, parts) : method(policyQuestion, parts);
    entities.add(principal);
    entities.add(resource);
    EntityUID action = policyQuestion.tool() ? CALL_TOOL : USE_METHOD;
    return new CedarRequest(
        new AuthorizationRequest(
            principal.getEUID(), action, resource.getEUID(), context(policyQuestion, parts)),
        entities);
  }

  private static Entity principal(Principal principal, QuestionParts parts, Set<Entity> entities)
      throws UnusableInput {
    Set<EntityUID> roles = new HashSet<>();
    for (String name : principal.roles()) {
      EntityUID role = ROLE.of(CedarJson.requireUnicode(name));
      if (roles.add(role) && parts.include(Owner.ROLE, "name")) {
        entities.add(new Entity(role, Map.of("name", new PrimString(name)), Set.of()));
      }
    }
    Map<String, Value> attributes = attributes(principal);
    keepRead(attributes, Owner.PRINCIPAL, parts);
    return new Entity(APP.of(principal.name()), attributes, roles);
  }

  /** The attribute {@code name} is the principal's name, even if its attributes have another. */
  private static Map<String, Value> attributes(Principal principal) throws UnusableInput {
    Map<String, Value> attributes = new HashMap<>();
    for (String name : DEFAULT_ATTRIBUTES) {
      attributes.put(name, new PrimString(""));
    }
    for (Map.Entry<String, String> attribute : principal.attributes().entrySet()) {
      attributes.put(CedarJson.requireUnicode(attribute.getKey()), text(attribute.getValue()));
    }
    attributes.put("name", text(principal.name()));
    return attributes;
  }

  private static Entity tool(PolicyQuestion policyQuestion, QuestionParts parts)
      throws UnusableInput {
    CedarMap arguments = CedarJson.parseRecord(policyQuestion.arguments());
    keepRead(arguments, Owner.ARGUMENTS, parts);
    Map<String, Value> attributes = new HashMap<>();
    attributes.put("name", text(policyQuestion.name()));
    attributes.put("server", text(policyQuestion.source()));
    attributes.put("arguments", arguments);
    keepRead(attributes, Owner.RESOURCE, parts);
    return new Entity(TOOL_CALL.of(policyQuestion.name()), attributes, Set.of());
  }

  private static Entity method(PolicyQuestion policyQuestion, QuestionParts parts)
      throws UnusableInput {
    Map<String, Value> attributes = new HashMap<>();
    attributes.put("method", text(policyQuestion.method()));
    attributes.put("server", text(policyQuestion.source()));
    attributes.put("name", text(policyQuestion.name()));
    keepRead(attributes, Owner.RESOURCE, parts);
    return new Entity(MCP_METHOD.of(policyQuestion.method()), attributes, Set.of());
  }

  private static Map<String, Value> context(PolicyQuestion policyQuestion, QuestionParts parts)
      throws UnusableInput {
    Map<String, Value> context = new HashMap<>();
    context.put("policy_id", text(policyQuestion.policyId()));
    context.put("source_id", text(policyQuestion.source()));
    context.put(TIME, time(policyQuestion));
    keepRead(context, Owner.CONTEXT, parts);
    return context;
  }

  private static void keepRead(Map<String, Value> attributes, Owner owner, QuestionParts parts) {
    attributes.keySet().removeIf(name -> !parts.include(owner, name));
  }

  private static Value time(PolicyQuestion policyQuestion) {
    OffsetDateTime at = policyQuestion.at().atOffset(ZoneOffset.UTC);
    CedarMap time = new CedarMap();
    time.put("hour", new PrimLong((long) at.getHour()));
    time.put("day_of_week", new PrimLong((long) at.getDayOfWeek().getValue() % DAYS_PER_WEEK));
    time.put("timestamp", new PrimLong(at.toEpochSecond()));
    return time;
  }

  private static PrimString text(String text) throws UnusableInput {
    return new PrimString(CedarJson.requireUnicode(text));
  }

  private static EntityTypeName type(String name) {
    return EntityTypeName.parse(name).orElseThrow();
  }
}
