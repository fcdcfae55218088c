within Mutabor.Bodies;
type Gravity = enumeration(
    none "No gravity",
    uniform "The same acceleration everywhere",
    point "The attraction of a point at the origin of the world") "Fields of gravity";
