package gatebook.api.browser;

import java.util.Locale;

/** A role of an element, as assistive technology tells it. */
public enum AriaRole {
  BUTTON("button, [role=button], summary"),
  CHECKBOX("input[type=checkbox], [role=checkbox]"),
  COMBOBOX("select, input[list], [role=combobox]"),
  DIALOG("dialog[open], [role=dialog], [role=alertdialog]"),
  HEADING("h1, h2, h3, h4"),
  LINK("a[href]"),
  REGION("section, [role=region]"),
  SEARCHBOX("input[type=search], [role=searchbox]"),
  TAB("[role=tab]"),
  TABLE("table"),
  TEXTBOX("input:not([type]), input[type=text], input[type=password], textarea");

  private final String selector;

  AriaRole(String selector) {
    this.selector = selector;
  }

  /** A selector for the elements that may have the role. */
  String selector() {
    return selector;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
