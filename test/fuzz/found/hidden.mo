package Gripper model Throw Real m(unit);end Throw;model Snatch extends Throw();end Snatch;Real Snatch[2];end Gripper;
