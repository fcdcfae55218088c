// seed 9, case 3819: A description with a character that has no escape sequence was written with one.
block BooleanConstant "Constant truth value, a line,
  another line, and a bell: "
  Boolean k = true;
  Boolean y = k;
end BooleanConstant;
