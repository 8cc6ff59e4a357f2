package gatebook.command.policy.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The parts of a question that policies may read, found in the engine's JSON form of the policies.
 * No other part can change how they decide. What is read in a way that is not understood here
 * counts as a read of everything.
 */
public final class QuestionParts {

  /** What the attributes are of. */
  public enum Owner {
    CONTEXT,
    PRINCIPAL,
    ROLE,
    RESOURCE,
    ARGUMENTS
  }

  /** All parts of every question. */
  public static final QuestionParts ALL = new QuestionParts(EnumSet.allOf(Owner.class));

  private static final Set<String> ACCESSES = Set.of(".", "has");
  private static final String ARGUMENTS = "arguments";

  /** The owners of which everything may be read. */
  private final Set<Owner> whole;

  private final Map<Owner, Set<String>> attributes = new EnumMap<>(Owner.class);

  private QuestionParts(Set<Owner> whole) {
    this.whole = whole;
  }

  /** The parts that any of these policies may read. */
  public static QuestionParts readBy(JsonNode policies) {
    QuestionParts parts = new QuestionParts(EnumSet.noneOf(Owner.class));
    parts.addReads(policies);
    return parts;
  }

  /** Whether a policy may read this attribute, or test whether it exists. */
  public boolean include(Owner owner, String attribute) {
    return whole.contains(owner) || attributes.getOrDefault(owner, Set.of()).contains(attribute);
  }

  private void addReads(JsonNode node) {
    String variable = VariablePath.variable(node);
    if (variable != null) {
      addUse(variable);
    }
    for (var member : node.properties()) {
      JsonNode value = member.getValue();
      if (ACCESSES.contains(member.getKey()) && value.has("left")) {
        addAccess(value, member.getKey().equals("has"));
      } else {
        addReads(value);
      }
    }
    for (JsonNode element : node.isArray() ? node : Set.<JsonNode>of()) {
      addReads(element);
    }
  }

  /** Entities are compared by type and id, so only the context is read whole. */
  private void addUse(String variable) {
    switch (variable) {
      case "context" -> whole.add(Owner.CONTEXT);
      case "principal", "action", "resource" -> {
        // nothing of it is read
      }
      default -> addAll();
    }
  }

  /** A test for the arguments themselves reads none of them. */
  private void addAccess(JsonNode access, boolean isTest) {
    List<String> path = VariablePath.ofAccess(access);
    if (path == null) {
      addAll();
      return;
    }
    String attribute = path.get(1);
    switch (path.getFirst()) {
      case "context" -> add(Owner.CONTEXT, attribute);
      case "principal" -> add(Owner.PRINCIPAL, attribute);
      case "resource" -> {
        add(Owner.RESOURCE, attribute);
        if (attribute.equals(ARGUMENTS) && path.size() > 2) {
          add(Owner.ARGUMENTS, path.get(2));
        } else if (attribute.equals(ARGUMENTS) && !isTest) {
          whole.add(Owner.ARGUMENTS);
        }
      }
      case "action" -> {
        // it has no attributes
      }
      default -> addAll();
    }
  }

  private void add(Owner owner, String attribute) {
    attributes.computeIfAbsent(owner, _ -> new HashSet<>()).add(attribute);
  }

  private void addAll() {
    whole.addAll(EnumSet.allOf(Owner.class));
  }
}
